import { limits } from '@duet/protocol'
import type { SignalSent } from '@duet/protocol/contracts/signaling.ts'
import { parseRateLimit } from '../../../lib/rate-limit.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { perApp } from '../../../core/app-state.ts'
import { partyOfCurrentCall } from '../call-registry.ts'
import { insertLogLine } from '../store.ts'

const SENDERS_MAX = 50_000
const rates = perApp(
  'calls: log limits',
  'how many log lines each client may still send; starts full',
  (app) => app.createRateLimiter(SENDERS_MAX),
)
const LOG_RATE = parseRateLimit(`${limits.logs_a_minute}/min`)

/**
 * Stores a log line of a page for the current call. The line is dropped if the user is not in a call or has
 * used up the lines of this call.
 */
export async function logLine(
  app: App,
  viewer: Guest | Member,
  { level, text }: SignalSent<'LOG'>,
): Promise<void> {
  const party = partyOfCurrentCall(app, viewer.id)
  if (!party) return
  const { log_lines_left } = party.registered
  if (log_lines_left[party.side] <= 0) return
  // Counted before the wait below: lines that arrive together must not use the same remaining line.
  log_lines_left[party.side] -= 1
  const now = app.clock.now()
  const waitMs = await rates(app).take(String(viewer.id), LOG_RATE, now.epochMilliseconds)
  if (waitMs > 0) {
    log_lines_left[party.side] += 1
    refuse('too_many', { retry_after: Math.ceil(waitMs / 1000) })
  }
  const { session_id } = party.call
  await insertLogLine(app.db, { session_id, user_id: viewer.id, level, text, at: now })
}
