import { perApp } from '../../../core/app-state.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import type { UserId } from '../../../core/ids.ts'
import { plusMs } from '../../../lib/clock.ts'
import { sampledCalls, type SampledCall } from '../../calls/index.ts'
import { companionSource } from '../../matchmaking/index.ts'
import { setting } from '../../settings/index.ts'
import { createNonce } from './frame-nonce.ts'
import { isMissing } from './frame-rules.ts'
import { insertMissing } from './frame-store.ts'

const SWEEP_MS = 1000
/** Many calls last less than one interval. */
const FIRST_MS = 3000

/** The frames of one call since this server process has it. */
interface Sampling {
  next_ms: number
  asked: number
  received: number
  /** When the requests were made (epoch milliseconds) whose frame has come. */
  readonly taken: Set<number>
}

const samplings = perApp(
  'moderation: sampled calls',
  'how many frames of each public call were asked for and received; after a restart the counts begin again',
  () => ({ by_call: new Map<number, Sampling>(), cancel: undefined as (() => void) | undefined }),
)

/** A call has opened: from now on its girl is asked for frames. */
export function beginSampling(tx: Tx): void {
  tx.afterCommit(() => sweepLater(tx.app))
}

export function stopSampling(app: App): void {
  samplings(app).cancel?.()
  samplings(app).cancel = undefined
}

function sweepLater(app: App): void {
  const state = samplings(app)
  state.cancel ??= app.clock.at(plusMs(app.clock.now(), SWEEP_MS), () => {
    state.cancel = undefined
    if (sweep(app)) sweepLater(app)
  })
}

/** Asks every girl whose frame is due. False: there is no call. */
function sweep(app: App): boolean {
  let hasCalls = false
  const nowMs = app.clock.now().epochMilliseconds
  const intervalMs = setting(app, 'frame_seconds') * 1000
  for (const call of sampledCalls(app)) {
    hasCalls = true
    if (intervalMs > 0 && call.is_connected) askIfDue(app, call, nowMs, intervalMs)
  }
  return hasCalls
}

function askIfDue(
  app: App,
  { session_id, girl_id }: SampledCall,
  nowMs: number,
  intervalMs: number,
): void {
  const { by_call } = samplings(app)
  let sampling = by_call.get(session_id)
  if (!sampling) {
    sampling = {
      next_ms: nowMs + Math.min(FIRST_MS, intervalMs),
      asked: 0,
      received: 0,
      taken: new Set(),
    }
    by_call.set(session_id, sampling)
  }
  if (nowMs < sampling.next_ms) return
  sampling.next_ms = nowMs + intervalMs
  if (!hasPage(app, girl_id)) return
  sampling.asked += 1
  const nonce = createNonce(app, { purpose: 'sample', number: nowMs, user_id: girl_id, session_id })
  app.emit(girl_id, 'frame_request', { session_id, nonce, reason: 'sample', side: 'own' })
}

/** A page that is connected now, and that is no companion of the demo: a companion has no camera. */
function hasPage(app: App, girl_id: UserId): boolean {
  const active = app.realtime.local.activeConnection(girl_id)
  if (!active?.main) return false
  const { tab_id } = active
  return !companionSource.get(app)?.(app, { user_id: girl_id, tab_id })
}

/** Takes the request of a frame. False: its frame has come already, or this server process has not asked. */
export function takeRequest(app: App, session_id: number, askedAtMs: number): boolean {
  const taken = samplings(app).by_call.get(session_id)?.taken
  if (!taken || taken.has(askedAtMs)) return false
  taken.add(askedAtMs)
  return true
}

export function countReceived(app: App, session_id: number): void {
  const sampling = samplings(app).by_call.get(session_id)
  if (sampling) sampling.received += 1
}

/** A page that did not send what it was asked for is recorded at the end of the call, in one row. */
export async function recordMissing(
  tx: Tx,
  { session_id, girl_id, recovered }: DomainEvents['call_closed'],
): Promise<void> {
  const { by_call } = samplings(tx.app)
  const sampling = by_call.get(session_id)
  if (!sampling) return
  tx.afterCommit(() => {
    by_call.delete(session_id)
  })
  const { asked, received } = sampling
  if (recovered || !isMissing(sampling)) return
  await insertMissing(tx, { session_id, girl_id, asked, received })
  tx.app.log.warn({ session_id, user_id: girl_id, asked, received }, 'a page sent no frames')
}
