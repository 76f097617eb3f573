import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { readPages } from '../../platform/personal-data/export-rows.ts'
import {
  EXPORT_PAGE_ROWS,
  impersonalTable,
  personalTable,
} from '../../platform/personal-data/personal-data.ts'
import type { ExportPart, PersonalTable } from '../../core/personal-data.ts'
import { accountId } from './account.ts'
import { ASSETS_OF_USERS } from './queries.ts'

const BOOKS = 'the books of the business; after the erasure the id names no person'
const NO_MORE = 'the transfers of the user contain it'

export const personalData: readonly PersonalTable[] = [
  personalTable('accounts', {
    users: ['user_id'],
    erasure: 'kept',
    why: BOOKS,
    exported: 'own',
  }),
  personalTable('transfers', { users: [], erasure: 'kept', why: BOOKS, exported: 'own' }),
  personalTable('holds', { users: [], erasure: 'kept', why: BOOKS, exported: { not: NO_MORE } }),
  personalTable('balance_notices', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'id', columns: ['reason', 'told_at'] },
  }),
  impersonalTable('transfer_keys', 'keys of movements'),
  impersonalTable('hold_steps', 'steps of holds'),
  impersonalTable('hold_step_keys', 'keys of steps'),
  impersonalTable('ledger_mark', 'up to where the journal is verified'),
  impersonalTable('verified_balances', 'balances at the mark'),
]

interface TransferRow {
  readonly id: number
  readonly at: Temporal.Instant
  readonly asset: string
  readonly amount: bigint
  readonly direction: string
  readonly what: string
}

/** The user's accounts, and their movements, the oldest first. */
export async function* exportMoney(db: Db, user_id: UserId): AsyncGenerator<ExportPart> {
  const accounts = ASSETS_OF_USERS.map((asset) => accountId({ user_id }, asset))
  const { rows } = await sql<object>`
    select asset, balance, held from accounts where id = any(${accounts}::bigint[])`.execute(db)
  yield { table: 'accounts', rows }
  // One branch for each index and account: with "or" PostgreSQL would read the whole journal, and of several accounts it
  // would sort all of their transfers for each page.
  const side = (column: string, direction: string, account: bigint | number, after: unknown) => sql`
    (select id, at, asset, amount, ${direction}::text as direction, what from transfers
    where ${sql.ref(column)} > 0 and ${sql.ref(column)} = ${account}::bigint and id > ${after ?? 0}::bigint
    order by id limit ${EXPORT_PAGE_ROWS})`
  yield* readPages<TransferRow>('transfers', 'id', async (after) => {
    const branches = accounts.flatMap((account) => [
      side('debit_id', 'out', account, after),
      side('credit_id', 'in', account, after),
    ])
    const { rows: page } = await sql<TransferRow>`
      ${sql.join(branches, sql` union all `)} order by id limit ${EXPORT_PAGE_ROWS}`.execute(db)
    return page
  })
}
