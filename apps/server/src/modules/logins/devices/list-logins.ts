import type { Answer } from '@duet/protocol'
import { wireTime } from '../../../lib/clock.ts'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { readLogins } from './queries.ts'

/** The devices on which the viewer is logged in: the present device first, then the most recently used device. */
export async function listLogins(
  app: App,
  viewer: Member,
): Promise<Answer<'GET account/sessions'>> {
  const rows = await readLogins(app.db, viewer.id)
  const sessions = rows.map(({ id, device, country, created_at, used_at }) => ({
    id,
    device,
    country,
    current: id === viewer.login_id,
    create_time: wireTime(created_at),
    last_visit: wireTime(used_at),
  }))
  return {
    sessions: sessions.toSorted((one, other) => Number(other.current) - Number(one.current)),
  }
}
