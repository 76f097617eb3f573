import { PhotoVerdict } from '@duet/protocol/kernel/sanctions.ts'
import type { Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import { userById } from '../../identity/index.ts'
import { openChildCase } from '../complaints/child-case.ts'
import { announceStatement } from '../sanctions/announce-statement.ts'
import { markTakenBack } from '../sanctions/sanction-store.ts'
import { endRemoval, insertRemoval, standingRemovals } from './removal-store.ts'

/** Read by staff only. */
const PICTURE_NOTE = 'The verdict about a picture: a minor'

/** A removed picture has a statement, once; it is taken back when the picture is visible again. */
export async function followPicture(
  tx: Tx,
  {
    media_id,
    owner_id: user_id,
    status,
    reason,
    comment,
    by,
    actor,
  }: DomainEvents['media_reviewed'],
): Promise<void> {
  const standing = await standingRemovals(tx, media_id)
  if (status === 'ready') {
    for (const { statement_id } of standing) {
      await markTakenBack(tx, statement_id, by)
      await endRemoval(tx, statement_id, true)
    }
    return
  }
  if (reason === 'minor') await followMinor(tx, { media_id, owner_id: user_id, by, actor })
  if (standing.length > 0) return
  const verdict = PhotoVerdict.safeParse(reason)
  const why = verdict.success ? verdict.data : 'other'
  const removed = { user_id, kind: 'photo', reason: why, comment, by } as const
  await insertRemoval(tx, { statement_id: await announceStatement(tx, removed), user_id, media_id })
}

/** Removing the picture alone is not enough: its owner is suspended until a manager decides. */
async function followMinor(
  tx: Tx,
  {
    media_id,
    owner_id: user_id,
    by,
    actor,
  }: Pick<DomainEvents['media_reviewed'], 'media_id' | 'owner_id' | 'by' | 'actor'>,
): Promise<void> {
  const owner = await userById(tx, user_id)
  if (!owner?.role || owner.erased_at) return
  const sign = { user_id, media_id, note: PICTURE_NOTE, by }
  await openChildCase(tx, { ...sign, actor: actor ?? { operator: by } })
}
