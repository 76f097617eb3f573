import type { ReducerMap } from '../../shared/connection/event-reducers.ts'
import type {
  AskTime,
  CallsState,
  CallServerEvent,
  InCallPageEvent,
  RunningCall,
} from './calls-state.ts'
import { addOwnText, addText, markText } from './call-texts.ts'
import { applyMeter, syncClock } from './meter-clock.ts'

/** The typing indicator stays for this long after the last typing event. */
const TYPING_MS = 3_000

type InCallServerEvent = Exclude<CallServerEvent, { type: 'new_session' | 'close_session' }>
type InCallEvent = InCallServerEvent | InCallPageEvent
/** An event of another call never reaches a reducer of the running call. */
type InCallReducers<Event extends InCallEvent> = {
  readonly [Type in Event['type']]: (
    call: RunningCall,
    event: Extract<Event, { type: Type }>,
    state: CallsState,
  ) => RunningCall
}

/** The contract requires a reducer for each event within a call. A new event without a reducer does not compile. */
const SERVER_EVENTS: InCallReducers<InCallServerEvent> = {
  meter: (call, { payload, at_ms }) => ({
    ...call,
    meter: applyMeter(call.meter, payload, call.session, at_ms),
  }),
  text_chat_message: (call, { payload, at_ms }, { own }) => ({
    ...call,
    texts: addText(call.texts, payload, at_ms),
    hinted_at_ms: 0,
    typing_until_ms: payload.sender_id === own?.id ? call.typing_until_ms : 0,
  }),
  session_typing: (call, { payload, at_ms }, { own }) =>
    payload.user_id === own?.id ? call : { ...call, typing_until_ms: at_ms + TYPING_MS },
  session_up: (call, { payload, at_ms }, { own }) => {
    const time = { expires_at_ms: at_ms + payload.expires_in_ms, lasts_ms: payload.expires_in_ms }
    return payload.user_id === own?.id
      ? { ...call, own_ask: longest(call.own_ask, time), own_ask_answer: null }
      : { ...call, ask: { price: payload.price, ...longest(call.ask, time) } }
  },
  session_up_declined: (call, { payload, at_ms }) => ({
    ...call,
    own_ask: null,
    ask: null,
    ...(call.own_ask && {
      own_ask_answer: payload.reason,
      declined_at_ms: at_ms,
      // Until then the server refuses another question (601).
      ask_again_at_ms: at_ms + call.session.private_ask_again * 1000,
    }),
  }),
  partner_media: (call, { payload: { audio, video, data_mode, weak } }) => ({
    ...call,
    partner_media: { audio, video, data_mode, ...(weak && { weak }) },
  }),
  sound_only: (call, { payload: { own, partner } }) => ({ ...call, sound_only: { own, partner } }),
  session_hint: (call, { at_ms }) => ({ ...call, hinted_at_ms: at_ms }),
}

const PAGE_EVENTS: InCallReducers<InCallPageEvent> = {
  // If both users ask at the same time, the questions accept each other. The answer may arrive after the call became
  // private.
  private_asked: (call, { expires_at_ms, lasts_ms }) =>
    call.session.state === 'private'
      ? call
      : {
          ...call,
          own_ask: longest(call.own_ask, { expires_at_ms, lasts_ms }),
          own_ask_answer: null,
        },
  private_answered: (call) => ({ ...call, ask: null }),
  partner_seen: (call) => (call.is_met ? call : { ...call, is_met: true }),
  entry_changed: (call, { entry }) => ({ ...call, entry }),
  // The media of a call that was left is gone: coming back is a join like that after a reload.
  leaving: (call, { how }) => ({
    ...call,
    leaving: how,
    is_leave_stuck: false,
    is_fresh: false,
    is_met: how !== null && call.is_met,
  }),
  leave_stuck: (call) => (call.leaving ? { ...call, is_leave_stuck: true } : call),
  text_written: (call, event, { own }) => ({
    ...call,
    texts: addOwnText(call.texts, { ...event, sender_id: own?.id ?? 0 }),
  }),
  text_sent: (call, { id, text_id, text }) => ({
    ...call,
    texts: markText(call.texts, id, { state: 'sent', text_id, text }),
  }),
  text_failed: (call, { id }) => ({
    ...call,
    texts: markText(call.texts, id, { state: 'failed' }),
  }),
  break_set: (call, { on }) => ({ ...call, session: { ...call.session, break_set: on } }),
}

/** A question that is named again, by its event or after a reconnection, keeps its whole time. */
function longest(known: AskTime | null, { expires_at_ms, lasts_ms }: AskTime): AskTime {
  return { expires_at_ms, lasts_ms: Math.max(known?.lasts_ms ?? 0, lasts_ms) }
}

export const IN_CALL_SERVER_EVENTS = forRunningCall<InCallServerEvent>(SERVER_EVENTS)
export const IN_CALL_PAGE_EVENTS = forRunningCall<InCallPageEvent>(PAGE_EVENTS)

/** The same reducers for the whole state. An event of another call changes nothing. */
function forRunningCall<Event extends InCallEvent>(
  reducers: InCallReducers<Event>,
): ReducerMap<CallsState, Event> {
  const entries = Object.entries(reducers).map(([type, reduce]) => [
    type,
    (state: CallsState, event: InCallEvent) =>
      reduceRunningCall(state, event, reduce as ReduceRunningCall),
  ])
  return Object.fromEntries(entries) as ReducerMap<CallsState, Event>
}

type ReduceRunningCall = (call: RunningCall, event: InCallEvent, state: CallsState) => RunningCall

function reduceRunningCall(
  state: CallsState,
  event: InCallEvent,
  reduce: ReduceRunningCall,
): CallsState {
  const { call } = state
  const sessionId = 'payload' in event ? event.payload.session_id : event.session_id
  if (!call || call.session.id !== sessionId) return state
  const next = reduce(call, event, state)
  return next === call ? state : { ...state, call: next, clock: clockAfter(state, next, event) }
}

/** The start of a new meter phase arrives without delay, so this event adjusts the clock. */
function clockAfter(
  { call, clock }: CallsState,
  { meter }: RunningCall,
  event: InCallEvent,
): CallsState['clock'] {
  if (event.type !== 'meter' || !call?.meter || !meter) return clock
  return meter.phase_since > call.meter.phase_since
    ? syncClock(clock, meter.phase_since, event.at_ms)
    : clock
}
