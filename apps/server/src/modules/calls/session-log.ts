import { limits } from '@duet/protocol'
import type { SignalSent } from '@duet/protocol/contracts/signaling.ts'
import { parseRateLimit } from '../../lib/rate-limit.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { perApp } from '../../core/module.ts'
import { liveCallOf, sideOf } from './live.ts'

const writers_max = 50_000
const rates = perApp(
  'calls: log limits',
  'how many log lines each client may still send; starts full',
  (app) => app.createRateLimiter(writers_max),
)
const pace = parseRateLimit(`${limits.logs_a_minute}/min`)

/** A line for the call's quality record; whoever is in no call, or has said more than any call needs, says it to nobody. */
export async function keepLog(
  app: App,
  viewer: Guest | Member,
  { level, text }: SignalSent<'LOG'>,
): Promise<void> {
  const live = liveCallOf(app, viewer.id)
  const side = live && sideOf(live.call, viewer.id)
  if (!live || !side || live.log_lines_left[side] === 0) return
  const wait_ms = await rates(app).take(String(viewer.id), pace, app.clock.now().epochMilliseconds)
  if (wait_ms > 0) refuse('too_many', { retry_after: Math.ceil(wait_ms / 1000) })
  live.log_lines_left[side] -= 1
  await app.db
    .insertInto('session_logs')
    .values({
      session_id: live.call.session_id,
      user_id: viewer.id,
      level,
      text,
      at: app.clock.now(),
    })
    .execute()
}
