import type { Tx } from '../../../core/app.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { attachUploads, lockSendable, type SendablePicture } from '../../media/index.ts'
import { maySendPicture, type WritingFacts } from '../rules.ts'
import { setPictures } from './picture-store.ts'
import type { Accepted, NewMessage } from './sending.ts'

/** The uploads of a batch that no message carries yet, locked until its transaction ends. */
export type Pictures = ReadonlyMap<string, SendablePicture>

export function lockedPictures(tx: Tx, sendings: readonly NewMessage[]): Promise<Pictures> {
  return lockSendable(
    tx,
    sendings.flatMap(({ media_id }) => media_id ?? []),
  )
}

/** A foreign upload is refused like a missing upload. So is an upload that a message carries already. */
export function refusalOfPicture(
  { media_id, sender_id }: NewMessage,
  facts: WritingFacts,
  pictures: Pictures,
): Refusal | undefined {
  if (media_id === null) return undefined
  const refusal = maySendPicture(facts)
  if (refusal) return new Refusal(refusal)
  const picture = pictures.get(media_id)
  if (picture?.owner_id !== sender_id)
    return new Refusal('invalid', { fields: [{ path: 'media_id', message: 'No such upload' }] })
  if (picture.status === 'removed') return new Refusal('image_removed')
  return undefined
}

/** Gives stored messages their pictures: from now on both users of the dialogs may see them. */
export async function sharePictures(tx: Tx, accepted: readonly Accepted[]): Promise<void> {
  const carrying = accepted.filter(({ sending }) => sending.media_id !== null)
  if (carrying.length === 0) return
  await setPictures(tx, carrying)
  await attachUploads(
    tx,
    carrying.map(({ sending, facts }) => ({
      id: sending.media_id!,
      receiver_id: facts.receiver_id,
    })),
    'dialog',
  )
}
