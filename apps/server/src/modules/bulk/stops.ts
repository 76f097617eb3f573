import type { Answer, Body, Query } from '@duet/protocol'
import type { BulkKind } from '@duet/protocol/contracts/bulk.ts'
import type { App } from '../../core/app.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { staffEmails } from '../audit/index.ts'
import { requireFresh } from '../staff/index.ts'
import { allowMore } from './check-bulk.ts'
import { openStops } from './store.ts'

const LISTED_MAX = 100

/** GET v2/manager/bulk-stops. */
export async function listStops(app: App): Promise<Answer<'GET v2/manager/bulk-stops'>> {
  const stops = await openStops(app.db, LISTED_MAX)
  const ids = stops.flatMap(({ staff_id }) => staff_id ?? [])
  const emails = await staffEmails.get(app)(app.db, ids)
  return {
    stops: stops.map(({ stop_id, staff_id, actor, kind, acts, stopped_at }) => ({
      id: stop_id,
      staff_id,
      person: (staff_id === null ? undefined : emails.get(staff_id)) ?? actor,
      kind: kind as BulkKind,
      acts,
      at: wireTime(stopped_at),
    })),
  }
}

/** POST v2/manager/bulk-stops/{id}/allow. Refuses not_found, role_forbidden, second_factor, decided. */
export async function allowStop(
  app: App,
  staff: Staff,
  {
    id,
    reason,
  }: Query<'POST v2/manager/bulk-stops/{id}/allow'> & Body<'POST v2/manager/bulk-stops/{id}/allow'>,
): Promise<Answer<'POST v2/manager/bulk-stops/{id}/allow'>> {
  requireFresh(app, staff)
  await app.transact((tx) => allowMore(tx, staff, { stop_id: id, reason }))
  return {}
}
