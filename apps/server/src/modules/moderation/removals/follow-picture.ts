import { PhotoVerdict } from '@duet/protocol/kernel/sanctions.ts'
import type { Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import { announceStatement } from '../sanctions/announce-statement.ts'
import { markTakenBack } from '../sanctions/sanction-store.ts'
import { endRemoval, insertRemoval, standingRemovals } from './removal-store.ts'

/** A removed picture has a statement, once; it is taken back when the picture is visible again. */
export async function followPicture(
  tx: Tx,
  { media_id, owner_id: user_id, status, reason, comment, by }: DomainEvents['media_reviewed'],
): Promise<void> {
  const standing = await standingRemovals(tx, media_id)
  if (status === 'ready') {
    for (const { statement_id } of standing) {
      await markTakenBack(tx, statement_id, by)
      await endRemoval(tx, statement_id, true)
    }
    return
  }
  if (standing.length > 0) return
  const verdict = PhotoVerdict.safeParse(reason)
  const why = verdict.success ? verdict.data : 'other'
  const removed = { user_id, kind: 'photo', reason: why, comment, by } as const
  await insertRemoval(tx, { statement_id: await announceStatement(tx, removed), user_id, media_id })
}
