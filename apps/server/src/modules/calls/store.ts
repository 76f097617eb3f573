import { sql, type Insertable, type Selectable } from 'kysely'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db, Tx } from '../../core/tx.ts'
import type { Tables } from '../../platform/database/tables.gen.ts'
import type { Call, Side } from './call/call.ts'
import type { Money } from './live.ts'
import { roundRow } from './call/rules.ts'

type Row = Selectable<Tables['video_sessions']>

export async function nextSessionId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('video_session_ids') as id`.execute(tx)
  return rows[0]!.id
}

/** Fails where either is in an open call already: the unique index holds the law. */
export async function insertCall(tx: Tx, call: Call, money: Money): Promise<void> {
  await tx
    .insertInto('video_sessions')
    .values({ ...rowOf(call), ...money })
    .execute()
}

export async function updateCall(tx: Tx, call: Call, money: Money): Promise<void> {
  const { session_id, ...changed } = { ...rowOf(call), ...money }
  await tx
    .updateTable('video_sessions')
    .set(changed)
    .where('session_id', '=', session_id!)
    .execute()
}

/** What a round counted, for all calls in one statement. One that comes late takes back nothing that was stored meanwhile. */
export async function storeRound(app: App, calls: readonly Call[]): Promise<void> {
  if (calls.length === 0) return
  const rows = JSON.stringify(
    calls.map((call) => ({
      ...roundRow(call),
      last_round_at: call.last_round_at?.toString() ?? null,
    })),
  )
  await sql`
    update video_sessions s
    set good_ms = r.good_ms, free_used = r.free_used, quota_used = r.quota_used, paid_seconds = r.paid_seconds,
        phase = r.phase, last_round_at = r.last_round_at
    from jsonb_to_recordset(${rows}::jsonb) as r(session_id bigint, good_ms integer, free_used integer, quota_used integer,
      paid_seconds integer, phase text, last_round_at timestamptz)
    where s.session_id = r.session_id and s.status <> 'closed' and s.good_ms < r.good_ms`.execute(
    app.db,
  )
}

/** A call as its row has it. */
export interface StoredCall {
  readonly call: Call
  readonly money: Money
}

export async function openCallIds(db: Db, opened_by?: Temporal.Instant): Promise<number[]> {
  const open = db.selectFrom('video_sessions').select('session_id').where('status', '!=', 'closed')
  const rows = await (opened_by ? open.where('opened_at', '<=', opened_by) : open).execute()
  return rows.map(({ session_id }) => session_id)
}

export async function callById(db: Db, session_id: number): Promise<StoredCall | undefined> {
  const row = await db
    .selectFrom('video_sessions')
    .selectAll()
    .where('session_id', '=', session_id)
    .executeTakeFirst()
  return row && { call: callOf(row), money: moneyOf(row) }
}

/** Closed calls of somebody, newest first. A role is for ever, so only one of the two columns is his. */
export async function pastCalls(
  db: Db,
  { user_id, side }: { user_id: UserId; side: Side },
  page: { offset: number; limit: number },
): Promise<Call[]> {
  const rows = await db
    .selectFrom('video_sessions')
    .selectAll()
    .where(`${side}_id`, '=', user_id)
    .where('status', '=', 'closed')
    .orderBy('session_id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute()
  return rows.map(callOf)
}

export async function flag(
  tx: Tx,
  session_id: number,
  user_id: UserId,
  about: string,
): Promise<void> {
  await tx.insertInto('call_flags').values({ session_id, user_id, about, at: tx.now }).execute()
}

/** Clears the unmasked originals of at most `limit` texts; the masked texts stay. */
export async function forgetOriginals(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update session_texts set original = null from (
      select text_id, call_opened_at from session_texts where original is not null and create_time < ${before} limit ${limit}) old
    where (session_texts.text_id, session_texts.call_opened_at) = (old.text_id, old.call_opened_at)`.execute(
    tx,
  )
  return Number(numAffectedRows)
}

function rowOf(call: Call): Insertable<Tables['video_sessions']> {
  const { guy, girl, paused, ask, doubt, ...columns } = call
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  return {
    ...columns,
    guy: json(guy),
    girl: json(girl),
    paused: json(paused),
    ask: json(ask),
    doubt: json(doubt),
  }
}

function callOf(row: Row): Call {
  const {
    hold_id: _,
    held_units: __,
    posted_his: ___,
    posted_hers: ____,
    money_step: _____,
    ...call
  } = row
  return call as unknown as Call
}

function moneyOf({ hold_id, held_units, posted_his, posted_hers, money_step }: Row): Money {
  return { hold_id, held_units, posted_his, posted_hers, money_step }
}
