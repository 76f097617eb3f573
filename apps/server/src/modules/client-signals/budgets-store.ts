import { sql } from 'kysely'
import { productDay } from '../../lib/clock.ts'
import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'

/** A client of a kind of budget, and how often it may act per day. */
export interface DailyBudget {
  readonly kind: 'email_try' | 'registration'
  readonly client: string
  readonly uses_max: number
}

/** Whether one of these budgets has no use left on this day. */
export async function budgetsSpent(
  db: Db,
  day: Temporal.PlainDate,
  budgets: readonly DailyBudget[],
): Promise<boolean> {
  if (budgets.length === 0) return false
  const rows = await db
    .selectFrom('client_budgets')
    .select(['kind', 'client', 'used'])
    .where('day', '=', day)
    .where(
      'client',
      'in',
      budgets.map(({ client }) => client),
    )
    .execute()
  return budgets.some(({ kind, client, uses_max }) => {
    const row = rows.find((one) => one.kind === kind && one.client === client)
    return (row?.used ?? 0) >= uses_max
  })
}

/**
 * Takes one use of each of these budgets of today. False if a budget is spent: then the caller's
 * transaction must roll back the uses of the others.
 */
export async function takeBudgets(tx: Tx, budgets: readonly DailyBudget[]): Promise<boolean> {
  const day = productDay(tx.now)
  // In one order, so that two registrations do not deadlock.
  for (const { kind, client, uses_max } of sortedByClient(budgets)) {
    const { numAffectedRows = 0n } = await sql`
      insert into client_budgets as budget (day, kind, client, used)
      select ${day}, ${kind}, ${client}, 1 where ${uses_max}::integer > 0
      on conflict (day, kind, client) do update set used = budget.used + 1
      where budget.used < ${uses_max}`.execute(tx)
    if (numAffectedRows === 0n) return false
  }
  return true
}

/** Gives one use of each of these budgets back. */
export async function returnBudgets(tx: Tx, budgets: readonly DailyBudget[]): Promise<void> {
  for (const { kind, client } of sortedByClient(budgets)) {
    await sql`update client_budgets set used = used - 1
      where day = ${productDay(tx.now)} and kind = ${kind} and client = ${client} and used > 0`.execute(
      tx,
    )
  }
}

function sortedByClient(budgets: readonly DailyBudget[]): DailyBudget[] {
  return budgets.toSorted((one, other) => (one.client < other.client ? -1 : 1))
}
