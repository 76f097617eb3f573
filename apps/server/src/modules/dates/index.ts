/**
 * Dates: private calls by appointment, from the request to the call or to the one who did not come.
 *
 * Tables         virtual_dates, date_hours (the open hours of girls)
 * Does not know  how a call counts and posts its seconds: it hands the hold of a date over to the call that it opens
 * Invariants     no user has two open dates that overlap (DT1) · the hold of a date stands from the request on, and is voided,
 *                taken in part or handed to one call, once (DT2) · a date opens one call that connects, when both have
 *                pressed in its time (DT3) · two who may not meet have no date that waits (DT4)
 */
import { type EndpointsOf, module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { acceptDate, cancelDate, declineDate, startDate } from './answer-date.ts'
import { askForDate } from './ask-for-date.ts'
import { calendarFile } from './calendar-file.ts'
import { dates as dateProcess, upSince } from './date-process.ts'
import { readHours, setHours } from './hours.ts'
import { listDates } from './list-dates.ts'
import {
  endLeftDates,
  onBanned,
  onBlocked,
  onCallClosed,
  onLeft,
  onVisibilityChanged,
} from './on-domain-events.ts'
import { renderDates } from './views.ts'

const END_LEFT_MS = 30_000

export const dates = module('dates', {
  endpoints: {
    'GET dates': listDates,
    'POST dates': askForDate,
    'POST dates/{id}/accept': acceptDate,
    'POST dates/{id}/decline': declineDate,
    'POST dates/{id}/cancel': cancelDate,
    'POST dates/{id}/start': startDate,
    'GET dates/{id}/calendar': calendarFile,
    'GET dates/hours': readHours,
    'POST dates/hours': setHours,
  } satisfies EndpointsOf<'dates'>,
  renderChanges: { date_update: renderDates },
  subscribers: {
    blocked: onBlocked,
    banned: onBanned,
    account_deleted: onLeft,
    visibility_changed: onVisibilityChanged,
    call_closed: onCallClosed,
  },
  personalData: {
    tables: [
      personalTable('date_hours', {
        users: ['girl_id'],
        erasure: 'deleted',
        exported: { of: ['girl_id'], by: 'girl_id', columns: ['zone', 'hours'] },
      }),
      personalTable('virtual_dates', {
        users: ['guy_id', 'girl_id'],
        erasure: 'kept',
        why: 'the other side has the date too, and the books refer to it; it holds ids, times and amounts',
        exported: {
          of: ['guy_id', 'girl_id'],
          by: 'date_id',
          columns: ['at', 'minutes', 'state', 'opened_at', 'closed_at'],
        },
      }),
    ],
  },
  retention: [
    deleteRows('virtual_dates', 'closed_at', (context) => setting(context, 'virtual_date_days')),
  ],
  async start(app) {
    upSince(app)
    await dateProcess(app).start()
    const stopEnding = app.clock.every(END_LEFT_MS, () =>
      app.background('ending dates whose call is over', endLeftDates(app)),
    )
    return () => {
      stopEnding()
      return dateProcess(app).stop()
    }
  },
})
