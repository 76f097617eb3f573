import type { App } from '../../../core/app.ts'
import type { Staff } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { setting } from '../../settings/index.ts'

/**
 * The end of a ban that this member of staff may impose; null: without an end. A moderator bans for some days only. Refuses
 * invalid, role_forbidden.
 */
export function permittedEnd(
  app: App,
  { staff_role }: Staff,
  given: string | null,
): Temporal.Instant | null {
  const until = given === null ? null : Temporal.Instant.from(given)
  const now = app.clock.now()
  if (until && Temporal.Instant.compare(until, now) <= 0)
    refuse('invalid', { fields: [{ path: 'until', message: 'A time to come' }] })
  const longest = now.add({ hours: 24 * setting(app, 'moderator_ban_days'), minutes: 1 })
  const isLong = until === null || Temporal.Instant.compare(until, longest) > 0
  if (isLong && staff_role === 'moderator') refuse('role_forbidden')
  return until
}
