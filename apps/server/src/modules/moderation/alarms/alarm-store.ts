import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import { IS_SERIOUS } from '../complaints/complaint-store.ts'

/** The two were in a call, the accused has written to the complainer, or staff opened the case: the data of the accused are held then. */
const HAS_CONTACT = sql<boolean>`(is_panic or hold_id is not null)`

export interface AlarmTimes {
  /** Cases from before then are overdue. */
  readonly before: Temporal.Instant
  /** A case without an alarm since then needs one. */
  readonly again: Temporal.Instant
  /** After an alarm since then there is none yet. */
  readonly quiet: Temporal.Instant
}

/** The overdue cases of one alarm. */
export interface OverdueCases {
  readonly ids: readonly number[]
  /** Of them all, also those that `ids` has no room for. */
  readonly waiting: number
}

/**
 * Marks the serious complaints from before `before`, with or without contact, if one of them had no alarm since `again`, and
 * none of their kind was alarmed after `quiet`. Returns their numbers, at most `limit`, and how many wait.
 */
export async function markAlarmed(
  tx: Tx,
  {
    before,
    again,
    quiet,
    has_contact,
    limit,
  }: AlarmTimes & { readonly has_contact: boolean; readonly limit: number },
): Promise<OverdueCases> {
  const kind = sql`${IS_SERIOUS} and ${HAS_CONTACT} = ${has_contact}`
  const overdue = sql`decided_at is null and at <= ${before} and ${kind}`
  const { rows } = await sql<{ complaint_id: number; waiting: number }>`
    update complaints set alarmed_at = ${tx.now} where complaint_id = any(array(
      select complaint_id from complaints where ${overdue}
        and exists (select from complaints where ${overdue} and (alarmed_at is null or alarmed_at <= ${again}))
        and not exists (select from complaints where alarmed_at > ${quiet} and ${kind})
      order by alarmed_at nulls first, at limit ${limit} for update skip locked))
    returning complaint_id, (select count(*)::integer from complaints where ${overdue}) as waiting`.execute(
    tx,
  )
  const ids = rows.map(({ complaint_id }) => complaint_id).toSorted((a, b) => a - b)
  return { ids, waiting: rows[0]?.waiting ?? 0 }
}
