import type { AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import { toWire } from '../../lib/money.ts'
import { accountsOf, accountsWithUsage, type AccountRow } from './queries.ts'
import { usageSource } from './usage.ts'

/** The second read meets an ended process; a process that another server process owns shows what is posted. */
const READS_MAX = 2

/** The balances of a user: diamonds (guys) or coins (girls) in units and as a decimal, and message credits. */
export interface Balances {
  readonly asset: 'diamond' | 'coin'
  readonly balance_units: bigint
  /** `balance_units` as the wire writes it. */
  readonly balance: string
  readonly balance_messages: number
  /** The units that can be spent now: the balance without what is held. */
  readonly available_units: bigint
  readonly held_units: bigint
}

/** The balances of the ledger. The role, which is fixed at registration, decides the asset. */
export async function balances(db: Db, user_id: UserId): Promise<Balances> {
  return getBalances((await accountsOf(db, user_id)) ?? [])
}

function getBalances(accounts: readonly AccountRow[]): Balances {
  const asset = accounts[0]?.role === 'girl' ? 'coin' : 'diamond'
  const own = accounts.find((account) => account.asset === asset)
  const messages = accounts.find((account) => account.asset === 'message')
  const balance_units = own?.balance ?? 0n
  const held_units = own?.held ?? 0n
  return {
    asset,
    balance_units,
    balance: toWire(asset, balance_units),
    balance_messages: Number(messages?.balance ?? 0n),
    available_units: balance_units - held_units,
    held_units,
  }
}

/** The balances as their owner sees them: with the units of a running call that are not posted yet. */
export async function shownBalances(
  context: AppContext,
  db: Db,
  user_id: UserId,
): Promise<Balances> {
  let accounts: readonly AccountRow[] = []
  let unposted: bigint | undefined
  // A process that ended after the statement is not in memory any more; its postings are in the next read.
  for (let reads = 0; reads < READS_MAX && unposted === undefined; reads += 1) {
    accounts = (await accountsWithUsage(context)(db, user_id)) ?? []
    unposted = unpostedUnits(context, user_id, accounts[0])
  }
  const posted = getBalances(accounts)
  const balance_units = posted.balance_units + (unposted ?? 0n)
  return {
    ...posted,
    balance_units,
    balance: toWire(posted.asset, balance_units),
    available_units: balance_units - posted.held_units,
  }
}

/** Undefined: the row has a running process that memory does not have. */
function unpostedUnits(
  context: AppContext,
  user_id: UserId,
  row: AccountRow | undefined,
): bigint | undefined {
  const usage = usageSource.get(context)
  if (!usage || !row || row.process_id === null) return 0n
  const used = usage.usedUnits(context, user_id, row.process_id)
  return used === undefined ? undefined : used - row.posted!
}
