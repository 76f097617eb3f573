import { isRefused } from '@duet/client'
import type { Sent } from '@duet/protocol'
import { act, type CommandContext } from '../../shared/connection/command-context.ts'
import type { CallsEvent, CallsState, Leaving, RunningCall } from './calls-state.ts'

/** After this time without an answer the screen offers to return or to leave for good. */
const STUCK_AFTER_MS = 2_000

export interface LeaveParts extends CommandContext {
  apply(event: CallsEvent): void
  getState(): CallsState
  /** Stops sending and receiving at once. Resolves when the last report is sent. */
  stopMedia(): Promise<void>
  /** Starts the next search after the user pressed Next in a call. */
  search(): Promise<void>
}

export interface LeaveCommands {
  /** With `session_id` leaves only this call, never a later call. The server is asked after `first`, whatever its outcome. */
  leave(how: Leaving, session_id?: number, first?: Promise<unknown>): Promise<void>
  /** Asks the server again to close this call, if the user left it and no request is under way. */
  leaveAgain(session_id: number): Promise<void>
  /** Returns to the call while the server has not closed the call. */
  stay(): void
  /** Gives up the call on this page. The server is informed when the server answers again. */
  abandon(): void
  /** Closes the call that this page left without an answer, as soon as there is a connection. Rejects when that fails. */
  leaveAbandoned(): Promise<void>
}

export function createLeaveCommands(parts: LeaveParts): LeaveCommands {
  const { apply, getState } = parts
  let closing: Promise<void> | null = null
  /** AUTH and a press may both ask: the server is asked once. */
  function leaveAbandoned(): Promise<void> {
    closing ??= closeAbandoned(parts).finally(() => (closing = null))
    return closing
  }
  let attempts = 0
  async function attempt(
    how: Leaving,
    session_id?: number,
    first?: Promise<unknown>,
  ): Promise<void> {
    attempts += 1
    await leave(parts, how, session_id, first).finally(() => (attempts -= 1))
  }
  return {
    leave: attempt,
    async leaveAgain(session_id) {
      const { call } = getState()
      if (attempts === 0 && call?.leaving && call.session.id === session_id)
        await attempt(call.leaving, session_id)
    },
    stay() {
      const { call } = getState()
      if (call?.leaving) apply({ type: 'leaving', session_id: call.session.id, how: null })
    },
    abandon() {
      const { call } = getState()
      if (!call?.leaving) return
      apply({ type: 'call_abandoned', session_id: call.session.id })
      if (parts.services.connection.getSnapshot().phase === 'ready')
        leaveAbandoned().catch(() => {})
    },
    leaveAbandoned,
  }
}

/**
 * The media stops before the request to the server. A direct call comes from no search, so its end is neither a break
 * nor the step to the next person. The media flows between the two browsers, so a slow server must not
 * keep it alive.
 */
async function leave(
  parts: LeaveParts,
  wanted: Leaving,
  wantedId?: number,
  first?: Promise<unknown>,
): Promise<void> {
  const { apply, getState } = parts
  const { call } = getState()
  if (!call || (call.leaving && !call.is_leave_stuck)) return
  const session_id = call.session.id
  if (wantedId !== undefined && wantedId !== session_id) return
  const how = call.session.kind === 'direct' ? 'end' : wanted
  const reported = parts.stopMedia()
  apply({ type: 'leaving', session_id, how })
  const stuck = setTimeout(() => apply({ type: 'leave_stuck', session_id }), STUCK_AFTER_MS)
  if (parts.services.connection.getSnapshot().phase !== 'ready')
    apply({ type: 'leave_stuck', session_id })
  // The seconds up to now count only when the report arrives before the end of the call.
  await reported
  await first?.catch(() => {})
  const isWanted = await close(parts, call, how).finally(() => clearTimeout(stuck))
  const { own } = getState()
  // The server requeues without a request. A second request changes nothing at the server and repairs a missed event.
  if (isWanted && how === 'next' && !(own?.role === 'girl' && call.session.break_set))
    await parts.search()
}

/**
 * The server may close the call before it receives the user's choice. The choice still counts, unless the user has
 * cancelled it, the page has abandoned the call, or another call is open.
 */
function wasClosedWhileLeaving(
  { call, dropped, abandoned, left }: CallsState,
  sessionId: number,
): boolean {
  if (call || abandoned?.session_id === sessionId) return false
  if (left?.receipt.session_id === sessionId) return left.how !== null
  return dropped?.session.id === sessionId && dropped.leaving !== null
}

/** True when the server has closed the call and the user still wants to leave it. */
async function close(parts: LeaveParts, call: RunningCall, how: Leaving): Promise<boolean> {
  const { apply, getState, services } = parts
  const session_id = call.session.id
  const isLeaving = () => {
    const running = getState().call
    return running?.session.id === session_id && running.leaving !== null
  }
  try {
    await services.connection.ready()
    if (!isLeaving()) return wasClosedWhileLeaving(getState(), session_id)
    const payload = await act(parts, 'BREAK_SESSION', getWish(parts, session_id, how))
    const wasLeaving = isLeaving() || wasClosedWhileLeaving(getState(), session_id)
    // The answer is the receipt, even if the user has meanwhile cancelled the leaving.
    apply({ type: 'leaving', session_id, how })
    apply({ type: 'close_session', payload, at_ms: Date.now() })
    return wasLeaving
  } catch (error) {
    if (isRefused(error, 'BREAK_SESSION', 'not_found'))
      apply({ type: 'call_abandoned', session_id })
    else apply({ type: 'leave_stuck', session_id })
    return false
  }
}

async function closeAbandoned(parts: LeaveParts): Promise<void> {
  const { apply, getState, services } = parts
  const { abandoned } = getState()
  if (!abandoned) return
  const { session_id, how } = abandoned
  await services.connection.ready()
  if (getState().abandoned?.session_id !== session_id) return
  try {
    const payload = await act(parts, 'BREAK_SESSION', getWish(parts, session_id, how))
    apply({ type: 'close_session', payload, at_ms: Date.now() })
  } catch (error) {
    if (!isRefused(error, 'BREAK_SESSION', 'not_found')) throw error
  }
}

function getWish(
  { getState }: LeaveParts,
  session_id: number,
  how: Leaving,
): Sent<'BREAK_SESSION'> {
  const isGirl = getState().own?.role === 'girl'
  return {
    session_id,
    ...(how === 'break' && { break: true }),
    ...(how === 'next' && !isGirl && { next: true }),
  }
}
