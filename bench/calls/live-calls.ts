import type { App } from '@duet/server/core/app.ts'
import { newUuid } from '@duet/server/lib/ids.ts'
import { fromDecimal } from '@duet/server/lib/money.ts'
import { callProcess, currentRules } from '@duet/server/modules/calls/process.ts'
import { toRow } from '@duet/server/modules/calls/rows.ts'
import type { CallEvent } from '@duet/server/modules/calls/rules/call-events.ts'
import type { Call } from '@duet/server/modules/calls/rules/call.ts'
import { decide, openCall } from '@duet/server/modules/calls/rules/decide.ts'
import { dueAt } from '@duet/server/modules/calls/rules/review.ts'
import { NO_MONEY, type StoredCall } from '@duet/server/modules/calls/stored-call.ts'
import { applied } from '@duet/server/modules/ledger/outcomes.ts'
import { applyGroups } from '@duet/server/modules/ledger/store.ts'
import type { Database } from '@duet/server/platform/database/open.ts'
import { atOnce } from '../sockets/at-once.ts'

/** A hold lasts 60 s and is renewed 10 s before its end. So each call renews once in this time. */
export const WAVE_SECONDS = 50
/** Renewals and `meter` events are due between the whole seconds, where ticks and reports are: each is measured alone. */
export const RENEWAL_AT_MS = 500
export const METER_AT_MS = 250
export const REPORT_SECONDS = 2
const SECOND_MS = 1000
const ROWS_PER_STATEMENT = 500
const ADOPTING_MAX = 16
const ENDOWMENT = 10n ** 12n

/** The report of a page after `reports` reports. Each report adds frames. */
export function getReport(side: 'guy' | 'girl', session_guid: string, reports: number): CallEvent {
  const frames = (reports + 1) * 60
  const counters = { frames_decoded: frames, frames_sent: frames, reports_received: frames }
  return { type: 'reported', side, session_guid, ...counters, audio: true, video: true }
}

/** Reports of each side before the bench's first report. The longest call has this number of reports. */
export const REPORTS_BEFORE = WAVE_SECONDS / REPORT_SECONDS + 1

/**
 * Makes this number of paid calls of this server process. The renewals of the calls fall evenly on the seconds of a
 * wave. The rules decide one call for each second. The other calls are copies of the decided rows, hundreds in a
 * statement.
 */
export async function makeLiveCalls(
  app: App,
  database: Database,
  count: number,
): Promise<{ ids: number[]; session_guid: string }> {
  const session_guid = newUuid()
  const templates = Array.from({ length: WAVE_SECONDS }, (_, second) =>
    paidCall(app, session_guid, second),
  )
  const guys = await makePeople(database, 'guy', count)
  const girls = await makePeople(database, 'girl', count)
  const ids = await sequence(database, 'video_session_ids', count)
  const stored: StoredCall[] = []
  for (let first = 0; first < count; first += ROWS_PER_STATEMENT) {
    const calls = ids.slice(first, first + ROWS_PER_STATEMENT).map((session_id, index) => {
      const at = first + index
      const template = templates[at % WAVE_SECONDS]!
      return { ...template, session_id, guy_id: guys[at]!, girl_id: girls[at]! }
    })
    stored.push(...(await hold(app, calls)))
  }
  await insertRows(app, database, stored)
  await database.pool.query('vacuum analyze')
  // An event that is too early changes nothing, but its call is read from the row.
  await atOnce(ids, ADOPTING_MAX, (id) => callProcess(app).dispatch(id, { type: 'wake_up' }))
  return { ids, session_guid }
}

/** A call that was connected this many seconds ago, as the rules decide it. */
function paidCall(app: App, session_guid: string, secondsAgo: number): Call {
  const rules = currentRules(app)
  const nowMs = app.clock.now().epochMilliseconds
  const connectedMs = nowMs - (secondsAgo + 1) * SECOND_MS + RENEWAL_AT_MS
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms)
  const opened = openCall(getOpening(session_guid), at(connectedMs), rules)
  let { call } = opened
  const feed = (event: CallEvent, ms: number) => {
    const decision = decide(call, event, at(ms), rules)
    call = decision.call
    answer(decision.commands, ms)
  }
  const answer = (commands: readonly { readonly type: string }[], ms: number) => {
    for (const command of commands)
      if (command.type === 'open_hold')
        feed({ type: 'hold_renewed', seconds: rules.hold_seconds }, ms)
  }
  answer(opened.commands, connectedMs)
  for (const type of ['joined', 'peer_connected'] as const)
    for (const side of ['guy', 'girl'] as const) feed({ type, side, session_guid }, connectedMs)
  let reports = 0
  for (let ms = nowMs - WAVE_SECONDS * SECOND_MS; ms <= nowMs; ms += REPORT_SECONDS * SECOND_MS) {
    if (ms > connectedMs)
      for (const side of ['guy', 'girl'] as const) feed(getReport(side, session_guid, reports), ms)
    reports += 1
  }
  if (call.phase !== 'paid' || call.why !== null) throw new Error('Impossible: the call is paid')
  const meterMs = call.meter_sent_at!.epochMilliseconds + METER_AT_MS - RENEWAL_AT_MS
  const shifted = { ...call, meter_sent_at: at(meterMs) }
  return { ...shifted, wake_at: at(dueAt(shifted, rules)) }
}

function getOpening(session_guid: string) {
  return {
    session_id: 0,
    session_guid,
    guy_id: 0,
    girl_id: 0,
    kind: 'random',
    guy_from_search: true,
    girl_from_search: true,
    price_public: fromDecimal('diamond', '1'),
    price_private: fromDecimal('diamond', '1.5'),
    earn_public: fromDecimal('coin', '50'),
    earn_private: fromDecimal('coin', '125'),
    paid_after: 0,
    free_start: false,
    guy_trusted: true,
    quota_seconds: 0,
  } as const
}

async function hold(app: App, calls: readonly Call[]): Promise<StoredCall[]> {
  await applyGroups(
    app.db,
    calls.map(({ guy_id }) => [
      {
        move: {
          key: `bench:${guy_id}`,
          asset: 'diamond' as const,
          from: { house: 'promotion' as const },
          to: { user_id: guy_id },
          amount: ENDOWMENT,
          what: 'grant',
          cause: { kind: 'bench' },
        },
      },
    ]),
    app.clock.now(),
  )
  const cause = (id: number) => ({ what: 'call_public', cause: { kind: 'call', id } })
  const held_units = calls[0]!.price_public
  const outcomes = await applyGroups(
    app.db,
    calls.map(({ session_id, guy_id }) => [
      {
        open: {
          key: `call:${session_id}:hold:1`,
          user_id: guy_id,
          asset: 'diamond' as const,
          amount: held_units,
          ...cause(session_id),
        },
      },
    ]),
    app.clock.now(),
  )
  return calls.map((call, index) => {
    const { hold_id } = applied(outcomes[index]!).holds[0]!
    return { call, money: { ...NO_MONEY, hold_id, held_units, money_step: 1 } }
  })
}

async function insertRows(app: App, { pool }: Database, stored: readonly StoredCall[]) {
  const stamp = { owner_id: app.processOwner.id, fence: 1, version: 1 }
  for (let first = 0; first < stored.length; first += ROWS_PER_STATEMENT) {
    const rows = stored.slice(first, first + ROWS_PER_STATEMENT).map((one) => {
      const { guy, girl, paused, ask } = one.call
      return { ...toRow(one), guy, girl, paused, ask, ...stamp }
    })
    const text = JSON.stringify(rows, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    )
    await pool.query(
      'insert into video_sessions select * from jsonb_populate_recordset(null::video_sessions, $1::jsonb)',
      [text],
    )
  }
}

async function makePeople(database: Database, role: string, count: number): Promise<number[]> {
  const ids = await sequence(database, 'user_ids', count)
  await database.pool.query(
    `insert into users (id, role, declared_role, nick, email, password_hash, birthday, ref_code, age_confirmed_at, created_at, registered_at)
     select id, $2, $2, 'member ' || id, id || '@bench.test', 'none', '1990-01-01', 'bench' || id, now(), now(), now()
     from unnest($1::bigint[]) id`,
    [ids, role],
  )
  return ids
}

async function sequence({ pool }: Database, name: string, count: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    'select nextval($1::regclass) as id from generate_series(1, $2::integer)',
    [name, count],
  )
  return rows.map(({ id }) => id)
}
