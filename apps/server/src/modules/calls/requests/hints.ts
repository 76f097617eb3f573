import type { App } from '../../../core/app.ts'
import { fromDecimal } from '../../../lib/money.ts'
import { affordable } from '../../ledger/index.ts'
import { setting } from '../../settings/index.ts'
import { registeredCall, registeredCalls, type RegisteredCall } from '../call-registry.ts'

/** A guy who cannot afford a minute gets no hint. */
const BALANCE_MIN = fromDecimal('diamond', '1')

/** Sends `session_hint` to the guy of each call that has gone on for a while and in which both are silent. */
export function sendHints(app: App): void {
  const nowMs = app.clock.now().epochMilliseconds
  for (const registered of registeredCalls(app)) {
    if (!isQuiet(app, registered, nowMs)) continue
    registered.hinted_at_ms = nowMs
    const { session_id } = registered.stored.call
    app.background('sending a hint', sendHint(app, session_id), { session_id })
  }
}

function isQuiet(app: App, { stored, ...registered }: RegisteredCall, nowMs: number): boolean {
  const { status, why, connected_at } = stored.call
  if (status !== 'running' || why !== null || connected_at === null) return false
  const isOver = (fromMs: number, name: 'hint_after' | 'hint_quiet' | 'hint_again') =>
    nowMs - fromMs >= setting(app, name) * 1000
  return (
    isOver(connected_at.epochMilliseconds, 'hint_after') &&
    isOver(registered.quiet_since_ms, 'hint_quiet') &&
    isOver(registered.hinted_at_ms, 'hint_again')
  )
}

async function sendHint(app: App, session_id: number): Promise<void> {
  const call = registeredCall(app, session_id)?.stored.call
  if (!call || (await affordable(app.db, call.guy_id, 'diamond')) < BALANCE_MIN) return
  app.emit(call.guy_id, 'session_hint', { session_id, kind: 'gift' })
}
