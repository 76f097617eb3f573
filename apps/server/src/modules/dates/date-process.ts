import { sql } from 'kysely'
import { otherRole, type Role } from '@duet/protocol/kernel/roles.ts'
import type { App, Tx } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { UserId } from '../../core/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import { createProcessRuntime } from '../../platform/process/process-runtime.ts'
import type { EventSource, ProcessRuntime, ProcessType } from '../../platform/process/process.ts'
import { openReservedCall } from '../calls/index.ts'
import { addNotice } from '../notices/index.ts'
import { setting } from '../settings/index.ts'
import { type DateRules, type VirtualDateRecord } from './date-record.ts'
import type { DateCommand, DateEvent, DateNews } from './date-events.ts'
import { decideDate } from './date-rules.ts'
import { insertDate, updateDate } from './date-store.ts'
import { holdAgain, keepPart, releaseHold, toReserved } from './money.ts'
import { dateById, datesByIds } from './queries.ts'

export const upSince = perApp('dates: up since', 'when this server process began', (app) =>
  app.clock.now(),
)

export function dateRules(app: App): DateRules {
  return { noshow_percent: setting(app, 'virtual_date_noshow'), up_since: upSince(app) }
}

const SIDES = ['guy', 'girl'] as const

/** A date as the process runtime runs it: `date-rules.ts` decides. */
const dateType: ProcessType<number, VirtualDateRecord, DateEvent, DateCommand> = {
  name: 'date',
  table: {
    name: 'virtual_dates',
    id_column: 'date_id',
    open: sql`closed_at is null and wake_at is not null`,
    load: dateById,
    loadMany: datesByIds,
    insert: insertDate,
    update: updateDate,
  },
  isShared: true,
  idOf: ({ date_id }) => date_id,
  isOver: ({ closed_at }) => closed_at !== null,
  wakeAt: ({ wake_at }) => wake_at,
  wake_event: { type: 'time_came' },
  recovery_event: { type: 'server_started' },
  decide: (app, date, event, now) => decideDate(date, event, now, dateRules(app)),
  commands: {
    refuse: {},
    release_hold: { store: (tx, { state }) => releaseHold(tx, state) },
    keep_part: { store: (tx, { state }) => keepPart(tx, state) },
    open_call: {
      async store(tx, { state }) {
        const session_id = await openReservedCall(tx, state, toReserved(state))
        return { type: 'call_opened', session_id }
      },
    },
    hold_again: {
      store: async (tx, { state }) => ({
        type: 'held_again',
        hold_id: await holdAgain(tx, state),
      }),
    },
    announce: {
      async store(tx, draft, { news, to }) {
        // The events are rendered from the row.
        await draft.write(tx)
        const { state } = draft
        for (const side of SIDES) {
          await tx.notify(getUserId(state, side), 'date_update', { date_id: state.date_id })
          if (news && (to ?? side) === side) await addNews(tx, state, side, news)
        }
      },
    },
    call_in: { store: (tx, { state }, { to }) => addNews(tx, state, to, 'here') },
    remind: {
      async store(tx, { state }, { before }) {
        for (const side of SIDES) {
          await tx.notify(getUserId(state, side), 'date_update', { date_id: state.date_id })
          await addNews(tx, state, side, before)
        }
      },
    },
  },
  async reconciled(app, { guy_id, girl_id, state }) {
    if (state === 'started')
      await app.transact((tx) => tx.publish('pair_accepted_found', { guy_id, girl_id }))
  },
}

/** Writes the notice once: a repeat has the same key. */
async function addNews(
  tx: Tx,
  date: VirtualDateRecord,
  side: Role,
  what: DateNews | 'here' | 'day' | 'soon',
): Promise<void> {
  const { date_id, minutes } = date
  await addNotice(tx, {
    user_id: getUserId(date, side),
    kind: 'date',
    user: getUserId(date, otherRole(side)),
    facts: { what: tellsReader(what, side, date), minutes, date_id },
    key: `date:${date_id}:${what}`,
  })
}

/** The reader learns who missed the date: the reader, or the other side. He learns that his minutes are free again. */
function tellsReader(what: string, side: Role, { hold_id }: VirtualDateRecord): string {
  if (what === 'cancelled' && side === 'guy' && hold_id !== null) return 'off'
  if (what !== 'he_missed' && what !== 'she_missed') return what
  return (what === 'he_missed') === (side === 'guy') ? 'you_missed' : what
}

export const dates = perApp(
  'dates: process',
  'open dates and their wake-up timers; recovered from rows',
  (app): ProcessRuntime<number, VirtualDateRecord, DateEvent, DateCommand> =>
    createProcessRuntime(app, dateType),
)

export function getUserId(date: Pick<VirtualDateRecord, 'guy_id' | 'girl_id'>, side: Role): UserId {
  return side === 'guy' ? date.guy_id : date.girl_id
}

/** Applies what a user asks of a date. Refuses pair_over. */
export async function changeDate(
  app: App,
  date_id: number,
  event: EventSource<VirtualDateRecord, DateEvent>,
): Promise<void> {
  const commands = await dates(app).dispatch(date_id, event)
  if (commands?.some(({ type }) => type === 'refuse')) refuse('pair_over')
}
