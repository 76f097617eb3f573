import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Db, Pool } from '../../core/db.ts'
import { assert } from '../../lib/assert.ts'
import { wireTime } from '../../lib/clock.ts'
import { advanceMark, correctAccount, resetMark } from './store.ts'

/** One violated invariant. `expected` and `found` are units; `account_id` is null for an asset as a whole. */
export interface Difference {
  readonly law: string
  readonly account_id: string | null
  readonly asset: string | null
  readonly expected: string
  readonly found: string
}

export interface LedgerCheck {
  readonly ok: boolean
  /** The rows that were read. */
  readonly checked: {
    readonly accounts: number
    readonly transfers: number
    readonly holds: number
  }
  /** At most 100 of each kind. */
  readonly differences: readonly Difference[]
}

/** A check of what is new. It also says up to where the journal is verified: a mark that stays behind makes checks longer. */
export interface RecentLedgerCheck extends LedgerCheck {
  readonly verified: {
    readonly transfer_id: number
    /** When the mark moved there; it also stays while no money moves. */
    readonly moved_at: string
  }
}

const DIFFERENCES_PER_KIND_MAX = 100
/**
 * A rebuild corrects at most this number of accounts of each kind in a pass, and repeats until every
 * account is correct.
 */
const CORRECTED_PER_PASS_MAX = 10_000
/** The mark moves by this many transfers in one transaction, so that a check which is interrupted continues there. */
const TRANSFERS_PER_STEP_MAX = 1_000_000
/** An advisory lock number that no other code uses in this database. */
const LOCK_KEY = 4_205_002
/** Transactions of the app end within seconds. A longer foreign transaction must not keep the check waiting. */
const SETTLE_WITHIN_MS = 60_000
const SETTLE_POLL_MS = 50
const BLOCKED_REBUILD =
  'nothing was rebuilt: a transaction on this database server has been open for too long; end it (pg_stat_activity shows it) and start the rebuild again'
/** Times of holds come from the clocks of several server processes. */
const CLOCKS_DIFFER_AT_MOST = { hours: 24 }

/**
 * Compares every balance with its transfers, every held amount with the open holds, every hold with its
 * steps and postings, and every asset with zero. Reads the whole ledger in one snapshot, including its
 * verified part.
 */
export async function ledgerCheck(db: Db): Promise<LedgerCheck> {
  const { rows } = await sql<CheckedRows>`
    select (select count(*) from accounts) as accounts, (select count(*) from transfers) as transfers, (select count(*) from holds) as holds,
      ${differencesIn(sql`ledger_differences(${DIFFERENCES_PER_KIND_MAX})`)}`.execute(db)
  return toCheck(rows[0]!)
}

/**
 * The same check for the changes since the last call. It verifies the new part of the journal once. Then it
 * compares all balances with the verified sums and the transfers since. The work grows with one day, not
 * with the age of the installation.
 */
export function verifyLedger(app: App): Promise<RecentLedgerCheck> {
  return exclusively(app, async (db) => {
    const before = await readMark(db)
    const upTo = await settledTransferId(db)
    const closedSince = before.moved_at.subtract(CLOCKS_DIFFER_AT_MOST)
    const { rows } = await sql<CheckedRows>`
      select (select count(*) from accounts) as accounts,
        (select count(*) from transfers where id > ${before.transfer_id}) as transfers,
        (select count(*) from holds where state = 'open') + (select count(*) from holds where closed_at >= ${closedSince}) as holds,
        ${differencesIn(sql`ledger_recent_differences(${before.transfer_id}, ${closedSince}, ${DIFFERENCES_PER_KIND_MAX})`)}`.execute(
      db,
    )
    const check = toCheck(rows[0]!)
    // Only after a clean comparison: what was not compared, or differed, is read again by the next check.
    if (check.ok) await moveMark(app, db, upTo)
    return { ...check, verified: await verifiedPart(db) }
  })
}

/** Up to which transfer the journal is verified. */
export async function verifiedPart(db: Db): Promise<RecentLedgerCheck['verified']> {
  const { transfer_id, moved_at } = await readMark(db)
  return { transfer_id, moved_at: wireTime(moved_at) }
}

/** The check of the whole ledger on a connection that may take as long as it needs. */
export function verifyWholeLedger(app: App): Promise<LedgerCheck> {
  return app.onDedicatedConnection(ledgerCheck)
}

/**
 * Recomputes every balance from the first transfer on. Returns how many accounts were wrong. Movements go
 * on, because the journal is read without a lock. Only a wrong account is locked, while its newest
 * transfers are added.
 */
export function rebuildBalances(app: App, settleWithinMs = SETTLE_WITHIN_MS): Promise<number> {
  return exclusively(app, async (db) => {
    const upTo = await settledTransferId(db, settleWithinMs)
    // Without verified sums, each correction would read the whole journal while its account is locked.
    if (upTo === undefined) throw new Error(BLOCKED_REBUILD)
    await resetMark(db)
    await moveMark(app, db, upTo)
    let corrected = 0
    for (;;) {
      const wrong = await wrongAccounts(db)
      for (const account_id of wrong) if (await correctAccount(db, account_id)) corrected++
      if (wrong.length < CORRECTED_PER_PASS_MAX) return corrected
    }
  })
}

async function wrongAccounts(db: Pool): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id::text as account_id
    from ledger_recent_differences((select transfer_id from ledger_mark), 'infinity', ${CORRECTED_PER_PASS_MAX})
    where law in ('balance is its transfers', 'held is its open holds') order by 1`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** Of two checks the second waits: both move the mark. */
function exclusively<T>(app: App, work: (db: Pool) => Promise<T>): Promise<T> {
  return app.onDedicatedConnection(async (db) => {
    await sql`select pg_advisory_lock(${LOCK_KEY})`.execute(db)
    return work(db)
  })
}

/** Moves the mark over all transfers that no running transaction can add to any more. */
async function moveMark(app: App, db: Pool, upTo: number | undefined): Promise<void> {
  if (upTo === undefined) {
    app.log.warn(
      'a transaction is open for so long that the verified part of the ledger stays where it is',
    )
    return
  }
  for (let mark = -1; mark < upTo;)
    mark = await advanceMark(db, upTo, TRANSFERS_PER_STEP_MAX, app.clock.now())
}

/**
 * A transfer id below which no new transfer can appear. Ids are taken before the commit, so a lower id can
 * appear after a higher id. So this waits until every transaction has ended that may have taken such an id.
 */
async function settledTransferId(
  db: Pool,
  withinMs = SETTLE_WITHIN_MS,
): Promise<number | undefined> {
  const drawn = await sql<{ last: number }>`
    select case when is_called then last_value else 0 end as last from transfer_ids`.execute(db)
  // Assigned after the number was read: a transaction that took this number or a lower number has a lower
  // transaction id. The end of a snapshot would not do, because it can be the id of a transaction that
  // still runs.
  const running = await sql<{ next: string }>`
    select pg_current_xact_id()::text as next`.execute(db)
  const deadlineMs = performance.now() + withinMs
  for (;;) {
    const { rows } = await sql<{ settled: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${running.rows[0]!.next}::xid8 as settled`.execute(
      db,
    )
    if (rows[0]!.settled) return drawn.rows[0]!.last
    if (performance.now() > deadlineMs) return undefined
    await sleep(SETTLE_POLL_MS)
  }
}

async function readMark(
  db: Db,
): Promise<{ readonly transfer_id: number; readonly moved_at: Temporal.Instant }> {
  const mark = await db
    .selectFrom('ledger_mark')
    .select(['transfer_id', 'moved_at'])
    .executeTakeFirst()
  assert(mark, 'the ledger has a mark')
  return mark
}

interface CheckedRows {
  readonly accounts: number
  readonly transfers: number
  readonly holds: number
  readonly differences: Difference[]
}

function differencesIn(source: ReturnType<typeof sql>) {
  return sql`(select coalesce(jsonb_agg(jsonb_build_object('law', law, 'account_id', account_id::text, 'asset', asset, 'expected', expected, 'found', found)), '[]')
    from ${source}) as differences`
}

function toCheck({ accounts, transfers, holds, differences }: CheckedRows): LedgerCheck {
  return { ok: differences.length === 0, checked: { accounts, transfers, holds }, differences }
}
