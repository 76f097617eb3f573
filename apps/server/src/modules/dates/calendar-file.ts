import ical from 'ical-generator'
import type { Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import { RawResponse } from '../../core/raw-response.ts'
import type { Member } from '../../core/viewer.ts'
import { plusMs } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { dateTitle } from '../notices/index.ts'
import { dateById } from './queries.ts'
import { sideIn } from './views.ts'

const REMINDER_SECONDS = 600

/** An accepted date as a file for a calendar. */
export async function calendarFile(
  app: App,
  viewer: Member,
  { id }: Query<'GET dates/{id}/calendar'>,
): Promise<RawResponse> {
  const date = (await dateById(app.db, id)) ?? refuse('not_found')
  sideIn(date, viewer.id)
  if (date.state !== 'accepted') refuse('pair_over')
  const { origins } = app.config
  const calendar = ical({ prodId: { company: 'Duet', product: 'Duet' } })
  const event = calendar.createEvent({
    id: `date-${id}@${new URL(origins[0] ?? 'http://localhost').hostname}`,
    // The library knows only this class of times. The file has them in UTC.
    start: toLegacy(date.at),
    end: toLegacy(plusMs(date.at, date.minutes * 60_000)),
    stamp: toLegacy(date.opened_at),
    summary: dateTitle(viewer.locale),
    ...(origins[0] !== undefined && { url: `${origins[0]}/virtualdate/` }),
  })
  event.createAlarm({ type: 'display' as never, trigger: REMINDER_SECONDS })
  return new RawResponse({
    body: calendar.toString(),
    content_type: 'text/calendar; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="duet-date-${id}.ics"` },
  })
}

function toLegacy(at: Temporal.Instant): Date {
  return new Date(at.epochMilliseconds)
}
