import { sql } from 'kysely'
import type { Decision } from '@duet/state-machine/state-machine.ts'
import type { App, Tx } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import { createProcessRuntime } from '../../platform/process/process-runtime.ts'
import type { EventSource, ProcessRuntime, ProcessType } from '../../platform/process/process.ts'
import { setting } from '../settings/index.ts'
import { register, registeredCall, unregister } from './call-registry.ts'
import { commands } from './command-table.ts'
import { availableUnits } from './money.ts'
import { followUpCommit, notifyNewSession } from './notifications.ts'
import { callById, callsByIds } from './queries.ts'
import type { CallCommand, CallEvent } from './rules/call-events.ts'
import { callRules } from './rules/call-rules.ts'
import { getUserId, type Call, type CallRules } from './rules/call.ts'
import { decide, tickSuffices } from './rules/decide.ts'
import type { StoredCall } from './stored-call.ts'
import { insertCall, updateCall, updateCalls } from './store.ts'

/** A call as the process runtime runs it: `rules/` decide, `commands.ts` does what a decision contains. */
const callType: ProcessType<number, StoredCall, CallEvent, CallCommand> = {
  name: 'call',
  table: {
    name: 'video_sessions',
    id_column: 'session_id',
    open: sql`status <> 'closed'`,
    load: callById,
    loadMany: callsByIds,
    insert: insertCall,
    update: updateCall,
    updateMany: updateCalls,
  },
  idOf: ({ call }) => call.session_id,
  isOver: ({ call }) => call.status === 'closed',
  wakeAt: ({ call }) => call.wake_at,
  wake_event: { type: 'wake_up' },
  recovery_event: { type: 'server_restarted' },
  ready_event: { type: 'server_ready' },
  decide(app, stored, event, now) {
    const { call, commands: decided } = decide(stored.call, event, now, currentRules(app))
    return { state: call === stored.call ? stored : { ...stored, call }, commands: decided }
  },
  commands,
  remember: register,
  forget: unregister,
  async recovered(tx, { call }) {
    const { session_id, guy_id, girl_id, state } = call
    await tx.publish('call_opened', { session_id, guy_id, girl_id, state, recovered: true })
    tx.afterCommit(() => restoreConnectedParties(tx.app, call))
    // A page that has not joined may not know of this call: the answer of its opening may have been lost.
    if (!call.guy.joined || !call.girl.joined) tx.afterCommit(() => notifyNewSession(tx.app, call))
  },
  reconciled: (app, { call }) => followUpCommit(app, call),
  isLight,
}

/**
 * Restores the parties of a call that was lost and recovered while this server process runs. A party whose
 * sockets stayed connected causes no connection change. `before` is the call before its recovery. Not
 * awaited, because the queue of the call runs this.
 */
function restoreConnectedParties(app: App, before: Call): void {
  const { session_id } = before
  for (const side of ['guy', 'girl'] as const) {
    const active = app.realtime.local.activeConnection(getUserId(before, side))
    const { joined, gone_at_ms } = before[side]
    const registered = registeredCall(app, session_id)
    if (!registered || !joined || gone_at_ms !== null || !active?.main || !active.signal) continue
    registered.signals.joined[side] = true
    registered.signals.ready[side] = registered.signals.started
    app.background(
      'restoring a connected party of a recovered call',
      dispatchEvent(app, session_id, { type: 'socket_restored', side }),
      { session_id },
    )
  }
}

/** Commands that only send what the next report would repeat. */
const LIGHT_COMMANDS: ReadonlySet<CallCommand['type']> = new Set(['notify_meter', 'notify_media'])

/** The frequent case of a report: memory changes, and the next tick of the scheduler stores it for all calls together. */
function isLight(
  before: StoredCall,
  { state, commands: decided }: Decision<StoredCall, CallCommand>,
): boolean {
  return (
    decided.every(({ type }) => LIGHT_COMMANDS.has(type)) && tickSuffices(before.call, state.call)
  )
}

export const callProcess = perApp(
  'calls: process',
  'open calls and their wake-up timers; recovered from rows',
  (app): ProcessRuntime<number, StoredCall, CallEvent, CallCommand> =>
    createProcessRuntime(app as App, callType),
)

/**
 * Applies an event to a call after all earlier events: decided, stored and executed in one transaction.
 * Returns the commands. Undefined if this server process does not own the call.
 */
export function dispatchEvent(
  app: App,
  sessionId: number,
  event: EventSource<StoredCall, CallEvent>,
): Promise<readonly CallCommand[] | undefined> {
  return callProcess(app).dispatch(sessionId, event)
}

/** An event that contains what the guy could spend at that moment. */
export function withAvailableUnits(
  event: (availableUnits: bigint) => CallEvent,
): (tx: Tx, stored: StoredCall) => Promise<CallEvent> {
  return async (tx, { call, money }) => event(await availableUnits(tx, call, money))
}

/** The rules with the current values of the settings. */
export function currentRules(app: App): CallRules {
  return callRules({
    media_timeout: setting(app, 'media_timeout'),
    partner_grace: setting(app, 'partner_grace'),
    meter_no_frames: setting(app, 'meter_no_frames'),
    meter_no_report: setting(app, 'meter_no_report'),
    meter_pause_row: setting(app, 'meter_pause_row'),
    meter_pause_total: setting(app, 'meter_pause_total'),
    contradiction_end: setting(app, 'contradiction_end'),
    camera_off_end: setting(app, 'camera_off_end'),
    hold_seconds: setting(app, 'hold_seconds'),
    hold_renew: setting(app, 'hold_renew'),
    private_ask_seconds: setting(app, 'private_ask_seconds'),
    private_ask_again: setting(app, 'private_ask_again'),
    private_reserve: setting(app, 'private_reserve'),
  })
}
