import type { App } from '../../../core/app.ts'
import type { Staff } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { setting } from '../../settings/index.ts'

/**
 * The end of a ban that this member of staff may impose; null: without an end. Hours are counted by the clock of the
 * server, so that a wrong clock of a browser changes nothing. A moderator bans for some days only. Refuses
 * invalid, role_forbidden.
 */
export function permittedEnd(
  app: App,
  { staff_role }: Staff,
  {
    until: given,
    hours,
  }: { readonly until?: string | null | undefined; readonly hours?: number | undefined },
): Temporal.Instant | null {
  const now = app.clock.now()
  const until = givenEnd(now, given, hours)
  if (until && Temporal.Instant.compare(until, now) <= 0)
    refuse('invalid', { fields: [{ path: 'until', message: 'A time to come' }] })
  const longest = now.add({ hours: 24 * setting(app, 'moderator_ban_days'), minutes: 1 })
  const isLong = !until || Temporal.Instant.compare(until, longest) > 0
  if (isLong && staff_role === 'moderator') refuse('role_forbidden')
  return until
}

function givenEnd(
  now: Temporal.Instant,
  given: string | null | undefined,
  hours: number | undefined,
) {
  if (hours !== undefined) return now.add({ hours })
  return given ? Temporal.Instant.from(given) : null
}
