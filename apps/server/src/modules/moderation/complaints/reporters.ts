import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** Of a complaint: staff acted, and the act was not taken back. */
export const IS_UPHELD = sql<boolean>`(decision <> 'no_violation' and not exists (
  select from statements where statements.statement_id = complaints.statement_id and taken_back_at is not null))`

export interface Reporters {
  readonly accused_id: UserId
  readonly reporters: number
  readonly paying: number
  readonly weight: number
}

/**
 * The reporters of the waiting complaints about each accused. The weight is the sum of the shares of upheld complaints of
 * those who have paid or are verified. The best share of all reporters is added once, as a tenth: many accounts that cost
 * nothing weigh less than one buyer. A reporter without a decided complaint has a share of one half.
 */
export const REPORTERS = sql<Reporters>`(
  select waiting.accused_id, count(*)::integer as reporters,
    (count(*) filter (where is_paying))::integer as paying,
    round(coalesce(sum(share) filter (where is_paying), 0) + max(share) / 10, 2)::real as weight
  from (select distinct accused_id, complainer_id from complaints where decided_at is null) waiting
  join users reporter on reporter.id = waiting.complainer_id
  cross join lateral (
    select (count(*) filter (where ${IS_UPHELD}) + 1) / (count(*) + 2.0) as share,
      reporter.verified_at is not null or exists (
        select from orders where user_id = reporter.id and paid_at is not null) as is_paying
    from complaints
    where complaints.complainer_id = waiting.complainer_id and decision is not null) history
  group by waiting.accused_id)`.as('reporters')

/** Of each of these accused: how many different users wait for a decision about them. */
export async function countReporters(
  db: Db,
  accused: readonly UserId[],
): Promise<(accused_id: UserId) => Pick<Reporters, 'reporters' | 'paying'>> {
  const rows =
    accused.length === 0
      ? []
      : await db
          .selectFrom(REPORTERS)
          .selectAll()
          .where('reporters.accused_id', 'in', accused)
          .execute()
  const known = new Map(rows.map((row) => [row.accused_id, row]))
  return (accused_id) => {
    const { reporters = 0, paying = 0 } = known.get(accused_id) ?? {}
    return { reporters, paying }
  }
}
