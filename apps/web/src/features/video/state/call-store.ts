import type { AuthSuccess, Receipt, SearchPair, SearchState, Session } from '@duet/protocol'
import { NOBODY, type CallState, type Happened, type Me, type RunningCall } from './call-state.ts'
import { hearMeter, heardNow } from './meter-clock.ts'
import { hearText, keptTexts, markText, typedText } from './texts.ts'

/**
 * What a page knows of search and calls: a pure function of what it was told. The same event twice changes nothing, and after
 * AUTH the state is what AUTH said, whatever was missed.
 */

/** Typing dots stay for this long after the last keystroke that was told. */
const TYPING_MS = 3_000
/** After a decline one may ask again; earlier the server refuses (601). */
const ASK_AGAIN_MS = 60_000

export function reduce(state: CallState, happened: Happened): CallState {
  switch (happened.what) {
    case 'auth':
      return authenticate(state, happened.auth, happened.me, happened.at_ms)
    case 'own_record':
      return hearOwnRecord(state, happened.me)
    case 'search_state':
      return hearSearch(state, happened.search, happened.at_ms)
    case 'search_pair':
      return hearPair(state, happened.pair, happened.at_ms)
    case 'search_pair_closed':
      return state.offer?.pair.pair_id === happened.pair_id
        ? {
            ...state,
            offer: null,
            offer_closed: state.offer.answer === 'skip' ? null : happened.reason,
          }
        : state
    case 'new_session':
      return hearSession(state, happened.session, happened.at_ms)
    case 'close_session':
      return close(state, happened.receipt, happened.at_ms)
    case 'start_pressed':
      return {
        ...state,
        starting: 'pressed',
        waiting_since_ms: happened.at_ms,
        left: null,
        offer_closed: null,
        gate: null,
      }
    case 'start_failed':
      return { ...state, starting: null }
    case 'stop_pressed':
      return {
        ...state,
        starting: null,
        search: { state: 'idle' },
        offer: null,
        offer_closed: null,
        left: null,
      }
    case 'offer_answered':
      return state.offer?.pair.pair_id === happened.pair_id
        ? { ...state, offer: { ...state.offer, answer: happened.answer } }
        : state
    case 'gate':
      return { ...state, gate: happened.gate }
    case 'receipt_closed':
      return { ...state, left: null }
    default:
      return inCall(state, happened)
  }
}

type OfCall = Exclude<
  Happened,
  {
    what:
      | 'auth'
      | 'own_record'
      | 'search_state'
      | 'search_pair'
      | 'search_pair_closed'
      | 'new_session'
      | 'close_session'
      | 'start_pressed'
      | 'start_failed'
      | 'stop_pressed'
      | 'offer_answered'
      | 'gate'
      | 'receipt_closed'
  }
>

/** What happens within the running call; of any other call it changes nothing. */
function inCall(state: CallState, happened: OfCall): CallState {
  const { call } = state
  if (!call || call.session.id !== sessionOf(happened)) return state
  const change = (part: Partial<RunningCall>): CallState => ({
    ...state,
    call: { ...call, ...part },
  })
  switch (happened.what) {
    case 'meter': {
      const { meter, at_ms } = happened
      const meter_clock = hearMeter(call.meter, meter, call.session, at_ms)
      const is_news = call.meter !== null && meter_clock.phase_since > call.meter.phase_since
      const clock = is_news ? heardNow(state.clock, meter_clock.phase_since, at_ms) : state.clock
      return { ...state, clock, call: { ...call, meter: meter_clock } }
    }
    case 'text_chat_message': {
      const is_theirs = happened.text.sender_id !== state.me?.id
      const typing_until_ms = is_theirs ? 0 : call.typing_until_ms
      return change({ texts: hearText(call.texts, happened.text, happened.at_ms), typing_until_ms })
    }
    case 'session_typing':
      return happened.user_id === state.me?.id
        ? state
        : change({ typing_until_ms: happened.at_ms + TYPING_MS })
    case 'session_up': {
      const { ask, at_ms } = happened
      const expires_at_ms = at_ms + ask.expires_in_ms
      if (ask.user_id === state.me?.id)
        return change({ own_ask: { expires_at_ms }, own_ask_answer: null })
      return change({ ask: { price: ask.price, expires_at_ms } })
    }
    case 'session_up_declined':
      return change({
        own_ask: null,
        ask: null,
        ...(call.own_ask && {
          own_ask_answer: happened.reason,
          ask_again_at_ms: happened.at_ms + ASK_AGAIN_MS,
        }),
      })
    case 'asked_private':
      // A crossed asking accepts, and its answer may come after the call became private.
      if (call.session.state === 'private') return state
      return change({ own_ask: { expires_at_ms: happened.expires_at_ms }, own_ask_answer: null })
    case 'answered_private':
      return change({ ask: null })
    case 'partner_seen':
      return call.is_met ? state : change({ is_met: true })
    case 'leaving':
      return change({ leaving: happened.how })
    case 'text_written':
      return change({ texts: typedText(call.texts, { ...happened, sender_id: state.me?.id ?? 0 }) })
    case 'text_sent':
      return change({
        texts: markText(call.texts, happened.id, {
          state: 'sent',
          text_id: happened.text_id,
          text: happened.text,
        }),
      })
    case 'text_failed':
      return change({ texts: markText(call.texts, happened.id, { state: 'failed' }) })
    case 'break_set':
      return change({ session: { ...call.session, break_set: happened.on } })
  }
}

function sessionOf(happened: OfCall): number {
  if (happened.what === 'meter') return happened.meter.session_id
  if (happened.what === 'text_chat_message') return happened.text.session_id
  if (happened.what === 'session_up') return happened.ask.session_id
  return happened.session_id
}

/** Minutes that were added in a call count at once: the balance is absolute, whoever tells it. */
function hearOwnRecord(state: CallState, me: Me): CallState {
  if (state.me?.id !== me.id) return { ...NOBODY, me }
  const { call } = state
  if (!call?.meter?.balance || me.balance === state.me.balance) return { ...state, me }
  return { ...state, me, call: { ...call, meter: { ...call.meter, balance: me.balance } } }
}

/** AUTH is the whole truth: a search or a call that it does not name is over, another identity begins from nothing. */
function authenticate(before: CallState, auth: AuthSuccess, me: Me, at_ms: number): CallState {
  const state = before.me && before.me.id !== me.id ? { ...NOBODY, me } : { ...before, me }
  const { pair, ...search } = auth.search ?? { state: 'idle' as const }
  const searching = hearSearch({ ...state, starting: null }, search, at_ms)
  const offered = pair ? hearPair(searching, pair, at_ms) : { ...searching, offer: null }
  const { active_session } = auth
  if (!active_session) return { ...offered, call: null, dropped: offered.call ?? offered.dropped }
  const known = offered.call?.session.id === active_session.id
  return resume(known ? offered : { ...offered, call: null }, active_session, at_ms)
}

function hearSearch(state: CallState, search: SearchState, at_ms: number): CallState {
  const was_waiting = isLooking(state.search) || state.starting !== null
  // A preview is shown to somebody who waits on; only an offer has a state of its own.
  const is_preview = state.offer?.pair.kind === 'preview' && search.state === 'waiting'
  return {
    ...state,
    search,
    offer: search.state === 'offered' || is_preview ? state.offer : null,
    // What is idle before the press arrives says nothing about the press.
    starting: state.starting === 'pressed' && search.state === 'idle' ? 'pressed' : null,
    waiting_since_ms: isLooking(search) && !was_waiting ? at_ms : state.waiting_since_ms,
  }
}

function isLooking({ state }: SearchState): boolean {
  return state === 'waiting' || state === 'offered'
}

function hearPair(state: CallState, pair: SearchPair, at_ms: number): CallState {
  const known = state.offer?.pair.pair_id === pair.pair_id ? state.offer : null
  return {
    ...state,
    left: null,
    offer_closed: null,
    starting: null,
    search: pair.kind === 'preview' ? state.search : { state: 'offered' },
    offer: { pair, expires_at_ms: at_ms + pair.expires_in_ms, answer: known?.answer ?? null },
  }
}

function hearSession(state: CallState, session: Session, at_ms: number): CallState {
  const { call } = state
  if (session.id <= state.closed_session_id) return state
  if (call?.session.id === session.id) return { ...state, call: update(call, session) }
  const opened: RunningCall = {
    session,
    opened_at_ms: at_ms,
    is_fresh: true,
    is_met: false,
    meter: session.meter ? hearMeter(null, session.meter, session, at_ms) : null,
    texts: keptTexts(session.texts ?? [], at_ms),
    typing_until_ms: 0,
    ask: session.session_up
      ? { price: session.session_up.price, expires_at_ms: at_ms + session.session_up.expires_in_ms }
      : null,
    own_ask: null,
    own_ask_answer: null,
    ask_again_at_ms: 0,
    leaving: null,
  }
  return {
    ...state,
    call: opened,
    offer: null,
    offer_closed: null,
    left: null,
    starting: null,
    search: { state: 'idle' },
    clock: heardNow(state.clock, Date.parse(session.started_at), at_ms),
  }
}

/** The running call with a new price or state: what the page knows beside stays. */
function update(call: RunningCall, session: Session): RunningCall {
  const became_private = session.state === 'private' && call.session.state === 'public'
  const asking = became_private ? { ask: null, own_ask: null, own_ask_answer: null } : {}
  return { ...call, ...asking, session: { ...call.session, ...session } }
}

/** After a reload or a loss: the call as AUTH tells it, with its texts and meter. */
function resume(state: CallState, session: Session, at_ms: number): CallState {
  if (session.id <= state.closed_session_id) return state
  const opened = state.call
    ? { ...state, call: update(state.call, session) }
    : hearSession(state, session, at_ms)
  const call = opened.call!
  const { meter, texts = [], session_up } = session
  return {
    ...opened,
    // Nothing here was told as it happened: it says nothing about clocks.
    clock: state.clock,
    call: {
      ...call,
      is_fresh: state.call !== null && call.is_fresh,
      meter: meter ? hearMeter(call.meter, meter, session, at_ms) : call.meter,
      texts: texts.reduce((kept, text) => hearText(kept, text, at_ms), call.texts),
      ask: session_up
        ? { price: session_up.price, expires_at_ms: at_ms + session_up.expires_in_ms }
        : null,
    },
  }
}

/** The receipt. What AUTH dropped meanwhile still gets it, since it is told until it was heard. */
function close(state: CallState, receipt: Receipt, at_ms: number): CallState {
  const closed_session_id = Math.max(state.closed_session_id, receipt.session_id)
  const call = [state.call, state.dropped].find((each) => each?.session.id === receipt.session_id)
  if (!call) return { ...state, closed_session_id }
  if (state.call && state.call !== call) return { ...state, closed_session_id, dropped: null }
  const { user_interlocutor: person } = call.session
  // Who came back after the end finds his search as AUTH told it.
  const goes_on = state.call === call && isPutBack(state.me, call, receipt)
  return {
    ...state,
    closed_session_id,
    call: null,
    dropped: null,
    left: { receipt, person, how: call.leaving, at_ms },
    ...(goes_on &&
      state.search.state === 'idle' && { starting: 'expected' as const, waiting_since_ms: at_ms }),
  }
}

const PUT_BACK: ReadonlySet<Receipt['reason']> = new Set([
  'left',
  'no_balance',
  'partner_lost',
  'media_lost',
  'not_connected',
  'server',
])

/** Whom the server puts back in search by itself (`rules.md` section 3): so no other screen flashes up in between. */
function isPutBack(me: Me | null, { leaving, session }: RunningCall, { reason }: Receipt): boolean {
  if (me?.role === 'girl') return leaving !== 'break' && !session.break_set && PUT_BACK.has(reason)
  return leaving === 'next' || reason === 'not_connected'
}
