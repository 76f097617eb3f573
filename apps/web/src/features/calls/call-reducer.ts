import { parseTime } from '@duet/protocol/kernel/time.ts'
import type { Receipt, Session } from '@duet/protocol'
import { reduceBy, type ReducerMap } from '../../shared/connection/event-reducers.ts'
import type {
  CallPageEvent,
  CallsEvent,
  CallServerEvent,
  CallsState,
  RunningCall,
} from './calls-state.ts'
import { addText, restoreTexts } from './call-texts.ts'
import { IN_CALL_PAGE_EVENTS, IN_CALL_SERVER_EVENTS } from './in-call-reducer.ts'
import { applyMeter, syncClock } from './meter-clock.ts'

/** The contract requires a reducer for each event. A new event without a reducer does not compile. */
export const CALL_SERVER_EVENTS: ReducerMap<CallsState, CallServerEvent> = {
  new_session: (state, { payload, at_ms }) => open(state, payload.session, at_ms),
  close_session: (state, { payload, at_ms }) => close(state, payload, at_ms),
  ...IN_CALL_SERVER_EVENTS,
}

const PAGE_EVENTS: ReducerMap<CallsState, CallPageEvent> = {
  call_restored: restore,
  call_left_before: (state, { session_id, how }) => ({ ...state, abandoned: { session_id, how } }),
  balance_changed: (state, { balance }) => changeBalance(state, balance),
  call_abandoned: abandon,
  receipt_closed: (state) => (state.left ? { ...state, left: null } : state),
  ...IN_CALL_PAGE_EVENTS,
}

const REDUCERS: ReducerMap<CallsState, CallsEvent> = { ...CALL_SERVER_EVENTS, ...PAGE_EVENTS }

/**
 * The calls of this page as a pure function of events. A repeated event changes nothing. After AUTH the state is the
 * state that AUTH contains: missed events do not matter.
 */
export function reduceCalls(state: CallsState, event: CallsEvent): CallsState {
  return reduceBy(REDUCERS, state, event)
}

/**
 * Minutes that the user buys during a call count at once. The balance is absolute, so any event with a balance is
 * right.
 */
function changeBalance(state: CallsState, balance: string): CallsState {
  const { call } = state
  if (!call?.meter?.balance) return state
  return { ...state, call: { ...call, meter: { ...call.meter, balance } } }
}

function getAsk({ session_up }: Session, atMs: number): RunningCall['ask'] {
  return session_up
    ? {
        price: session_up.price,
        expires_at_ms: atMs + session_up.expires_in_ms,
        lasts_ms: session_up.expires_in_ms,
      }
    : null
}

const EVERYTHING_ON = { audio: true, video: true, data_mode: 'full' } as const
const NOBODY_AGREES = { own: false, partner: false } as const

function getMedia({
  partner_media = EVERYTHING_ON,
  sound_only = NOBODY_AGREES,
}: Session): Pick<RunningCall, 'partner_media' | 'sound_only'> {
  return { partner_media, sound_only }
}

function open(state: CallsState, session: Session, atMs: number): CallsState {
  const { call } = state
  if (isOver(state, session)) return state
  if (call?.session.id === session.id) return { ...state, call: update(call, session) }
  const clock = syncClock(state.clock, parseTime(session.started_at), atMs)
  return { ...state, call: createCall(session, atMs), left: null, clock }
}

function createCall(session: Session, atMs: number): RunningCall {
  return {
    session,
    entry: 'joined',
    about: null,
    opened_at_ms: atMs,
    is_fresh: true,
    is_met: false,
    meter: session.meter ? applyMeter(null, session.meter, session, atMs) : null,
    texts: restoreTexts(session.texts ?? [], atMs),
    typing_until_ms: 0,
    hinted_at_ms: 0,
    ...getMedia(session),
    ask: getAsk(session, atMs),
    own_ask: null,
    own_ask_answer: null,
    declined_at_ms: 0,
    ask_again_at_ms: 0,
    leaving: null,
    is_leave_stuck: false,
  }
}

function isOver({ closed_session_id, abandoned }: CallsState, { id }: Session): boolean {
  return id <= closed_session_id || id === abandoned?.session_id
}

/** The page no longer shows the call. Its receipt may still come. */
function abandon(state: CallsState, { session_id }: { session_id: number }): CallsState {
  const { call } = state
  if (call?.session.id !== session_id) return state
  const abandoned = { session_id, how: call.leaving ?? 'end' }
  return { ...state, call: null, dropped: call, abandoned }
}

/** The running call with a new price or state. All other known data of the call stays. */
function update(call: RunningCall, session: Session): RunningCall {
  const becamePrivate = session.state === 'private' && call.session.state === 'public'
  const asking = becamePrivate ? { ask: null, own_ask: null, own_ask_answer: null } : {}
  return { ...call, ...asking, session: { ...call.session, ...session } }
}

/**
 * After a reload or a lost connection, AUTH contains the call with its texts and meter. A call that AUTH does not name
 * is over.
 */
function restore(
  state: CallsState,
  { own, session, at_ms, is_own_tab }: Extract<CallPageEvent, { type: 'call_restored' }>,
): CallsState {
  const before = { ...state, own }
  if (!session) return { ...before, call: null, dropped: before.call ?? before.dropped }
  const isKnown = before.call?.session.id === session.id
  const opened = reopen(isKnown ? before : { ...before, call: null }, session, at_ms)
  if (isKnown || !opened.call) return opened
  return { ...opened, call: { ...opened.call, entry: is_own_tab ? 'checking' : 'asking' } }
}

/** A call that the user has left stays closed on this page; its receipt is still to come. */
function reopen(state: CallsState, session: Session, atMs: number): CallsState {
  const { abandoned, dropped } = state
  if (abandoned?.session_id === session.id && dropped?.session.id !== session.id)
    return { ...state, dropped: { ...createCall(session, atMs), leaving: abandoned.how } }
  if (isOver(state, session)) return state
  const opened = state.call
    ? { ...state, call: update(state.call, session) }
    : open(state, session, atMs)
  const call = opened.call!
  const { meter, texts = [] } = session
  return {
    ...opened,
    // These events did not arrive as they happened, so they do not adjust the clock.
    clock: state.clock,
    call: {
      ...call,
      is_fresh: state.call !== null && call.is_fresh,
      meter: meter ? applyMeter(call.meter, meter, session, atMs) : call.meter,
      texts: texts.reduce((all, text) => addText(all, text, atMs), call.texts),
      ...getMedia(session),
      ask: getAsk(session, atMs),
    },
  }
}

/** Shows the receipt. A call that AUTH dropped before still gets its receipt, since the server sends it until it is delivered. */
function close(state: CallsState, receipt: Receipt, atMs: number): CallsState {
  const closedSessionId = Math.max(state.closed_session_id, receipt.session_id)
  const call = [state.call, state.dropped].find((each) => each?.session.id === receipt.session_id)
  if (!call) return { ...state, closed_session_id: closedSessionId }
  if (state.call && state.call !== call)
    return { ...state, closed_session_id: closedSessionId, dropped: null }
  const { user_interlocutor: person } = call.session
  // After a reconnect the state already has the search that AUTH names.
  const wasRequeued = state.call === call && isRequeued(state.own?.role, call, receipt)
  return {
    ...state,
    closed_session_id: closedSessionId,
    call: null,
    dropped: null,
    abandoned: null,
    left: {
      receipt,
      person,
      how: call.leaving,
      at_ms: atMs,
      is_direct: call.session.kind === 'direct',
      is_met: call.is_met || call.session.connected_at !== undefined || receipt.seconds > 0,
      is_requeued: wasRequeued,
    },
  }
}

const REQUEUE_REASONS: ReadonlySet<Receipt['reason']> = new Set([
  'left',
  'no_balance',
  'partner_lost',
  'media_lost',
  'not_connected',
  'server',
])

/** Whether the server puts this user back in search by itself, so that no other screen appears in between. */
function isRequeued(
  role: string | undefined,
  { leaving, session }: RunningCall,
  { reason }: Receipt,
): boolean {
  // The server puts back who came from search, and this page does not know that.
  if (session.kind === 'direct') return false
  if (role === 'girl')
    return leaving !== 'break' && !session.break_set && REQUEUE_REASONS.has(reason)
  return leaving === 'next' || reason === 'not_connected'
}
