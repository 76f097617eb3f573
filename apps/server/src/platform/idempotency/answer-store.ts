import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { TransactionDb } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { assert } from '../../lib/assert.ts'
import { newUuid } from '../../lib/ids.ts'
import { plusMs } from '../../lib/clock.ts'
import { jsonb } from '../database/values.ts'

/** A request ends earlier. So after this time a claim without an answer belongs to a dead process, and expires. */
const CLAIM_MS = 30_000
const ANSWER_CHARACTERS_MAX = 16_384

/** One request with a key, as its user sent it. */
export interface KeyedRequest {
  readonly user_id: UserId
  readonly key: string
  /** The digest of the endpoint and its input. */
  readonly hash: Buffer
}

export type ClaimResult =
  | { readonly type: 'claimed'; readonly claim: string }
  | { readonly type: 'answered'; readonly answer: unknown }
  /** The key belongs to another request. */
  | { readonly type: 'reused' }
  /** Another process works on the same request. */
  | { readonly type: 'running' }

/** Claims the key for this request, unless it has an answer or another process holds it. */
export async function claimKey(
  app: App,
  { user_id, key, hash }: KeyedRequest,
): Promise<ClaimResult> {
  const claim = newUuid()
  const now = app.clock.now()
  const until = plusMs(now, CLAIM_MS)
  const { rows } = await sql<{
    request_hash: Buffer
    answer: { value: unknown } | null
    claim: string
  }>`
    with taken as (
      insert into idempotent_answers as held (user_id, key, request_hash, claim, claimed_until, created_at)
      values (${user_id}, ${key}, ${hash}, ${claim}, ${until}, ${now})
      on conflict (user_id, key) do update set claim = excluded.claim, claimed_until = excluded.claimed_until
        where held.answer is null and held.claimed_until < ${now} and held.request_hash = excluded.request_hash
      returning request_hash, answer, claim
    )
    select * from taken
    union all
    select request_hash, answer, claim from idempotent_answers where user_id = ${user_id} and key = ${key}
    limit 1`.execute(app.db)
  const [row] = rows
  // A concurrent request inserted the row after the snapshot of this statement.
  if (row === undefined) return { type: 'running' }
  if (!row.request_hash.equals(hash)) return { type: 'reused' }
  if (row.answer !== null) return { type: 'answered', answer: row.answer.value }
  return row.claim === claim ? { type: 'claimed', claim } : { type: 'running' }
}

/**
 * Stores the answer in the transaction that did the work, so that both are committed or lost together. If
 * the claim expired and a repeat took the key, the transaction is rolled back.
 */
export async function storeAnswer(
  tx: TransactionDb,
  { user_id, key }: KeyedRequest,
  claim: string,
  answer: unknown,
): Promise<void> {
  assert(
    JSON.stringify(answer).length <= ANSWER_CHARACTERS_MAX,
    `an idempotent answer has at most ${ANSWER_CHARACTERS_MAX} characters`,
  )
  const { numUpdatedRows } = await tx
    .updateTable('idempotent_answers')
    .set({ answer: jsonb({ value: answer }) })
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .where('answer', 'is', null)
    .executeTakeFirstOrThrow()
  assert(numUpdatedRows === 1n, 'a request stores one answer while it holds its key')
}

/**
 * Releases the key after a failure. If the confirmation of a commit was lost, the row has its answer and
 * stays. A transaction that still commits holds the row's lock, so this statement waits and then sees the
 * answer.
 */
export async function releaseKey(
  app: App,
  { user_id, key }: KeyedRequest,
  claim: string,
): Promise<void> {
  await app.transact((tx) =>
    tx
      .deleteFrom('idempotent_answers')
      .where('user_id', '=', user_id)
      .where('key', '=', key)
      .where('claim', '=', claim)
      .where('answer', 'is', null)
      .execute(),
  )
}
