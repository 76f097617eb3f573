import { sql } from 'kysely'
import type { App, AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/tx.ts'
import { type Asset, toWire } from '../../lib/money.ts'
import { batchedRead } from '../../platform/database/batched-read.ts'
import { perApp } from '../../core/module.ts'
import { accountId } from './account.ts'

/** What somebody owns: diamonds (men) or coins (girl) in units and for the wire, and message credits. */
export interface Balances {
  readonly asset: 'diamond' | 'coin'
  readonly balance_units: bigint
  /** `balance_units` as the wire writes it. */
  readonly balance: string
  readonly balance_messages: number
  /** What may be spent now: the balance less what is held. */
  readonly available_units: bigint
  readonly held_units: bigint
}

interface AccountRow {
  readonly user_id: UserId
  readonly role: string | null
  readonly asset: Asset | null
  readonly balance: bigint
  readonly held: bigint
}

const shown_assets = ['diamond', 'coin', 'message'] as const

const accounts = batchedRead<UserId, AccountRow[]>(async (db, ids) => {
  const owners = ids.flatMap((user_id) => shown_assets.map(() => user_id))
  const numbers = ids.flatMap((user_id) =>
    shown_assets.map((asset) => accountId({ user_id }, asset)),
  )
  const { rows } = await sql<AccountRow>`
    select asked.user_id, u.role, a.asset, coalesce(a.balance, 0) as balance, coalesce(a.held, 0) as held
    from unnest(${owners}::bigint[], ${numbers}::bigint[]) as asked (user_id, account_id)
    left join users u on u.id = asked.user_id
    left join accounts a on a.id = asked.account_id`.execute(db)
  return Map.groupBy(rows, (row) => row.user_id)
})

/** What the ledger says. A role is fixed at registration and decides which asset is his. */
export async function balances(db: Db, user_id: UserId): Promise<Balances> {
  const rows = (await accounts(db, user_id)) ?? []
  const asset = rows[0]?.role === 'girl' ? 'coin' : 'diamond'
  const own = rows.find((row) => row.asset === asset)
  const messages = rows.find((row) => row.asset === 'message')
  return shown(asset, own?.balance ?? 0n, own?.held ?? 0n, Number(messages?.balance ?? 0n))
}

/** What a user could spend of an asset at this moment. */
export async function affordable(db: Db, user_id: UserId, asset: Asset): Promise<bigint> {
  const account = await db
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('id', '=', accountId({ user_id }, asset))
    .executeTakeFirst()
  return account ? account.balance - account.held : 0n
}

/** Units that were used or earned but are not posted yet: negative for who pays, positive for who earns. */
export type Unposted = (db: Db, user_id: UserId) => Promise<bigint>

const unposted = perApp<{ ask: Unposted }>(
  'ledger: unposted',
  'how unposted units are asked for; set at start',
  () => ({ ask: async () => 0n }),
)

/** The one who meters calls says how far his count is ahead of the ledger, so that every balance shown is right to the second. */
export function countUnposted(app: App, ask: Unposted): void {
  unposted(app).ask = ask
}

/** The balance as its owner sees it: the ledger's with the seconds not yet posted. */
export async function shownBalances(app: AppContext, db: Db, user_id: UserId): Promise<Balances> {
  const { asset, balance_units, balance_messages, held_units } = await balances(db, user_id)
  return shown(
    asset,
    balance_units + (await unposted(app).ask(db, user_id)),
    held_units,
    balance_messages,
  )
}

function shown(
  asset: 'diamond' | 'coin',
  balance_units: bigint,
  held_units: bigint,
  balance_messages: number,
): Balances {
  return {
    asset,
    balance_units,
    balance: toWire(asset, balance_units),
    balance_messages,
    available_units: balance_units - held_units,
    held_units,
  }
}
