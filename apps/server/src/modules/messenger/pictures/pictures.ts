import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { attachUploads, lockSendable, type SendablePicture } from '../../media/index.ts'
import { maySendPicture, type WritingFacts } from '../rules.ts'
import { type SentPicture, setPictures } from './picture-store.ts'

/** The uploads of a batch that no message carries yet, locked until its transaction ends. */
export type Pictures = ReadonlyMap<string, SendablePicture>

export function lockedPictures(
  tx: Tx,
  sendings: readonly { readonly media_id: string | null }[],
): Promise<Pictures> {
  return lockSendable(
    tx,
    sendings.flatMap(({ media_id }) => media_id ?? []),
  )
}

/** A foreign upload is refused like a missing upload. So is an upload that a message carries already. */
export function refusalOfPicture(
  { media_id, sender_id }: { readonly media_id: string | null; readonly sender_id: UserId },
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
export async function sharePictures(tx: Tx, sent: readonly SentPicture[]): Promise<void> {
  if (sent.length === 0) return
  await setPictures(tx, sent)
  await attachUploads(
    tx,
    sent.map(({ media_id: id, receiver_id }) => ({ id, receiver_id })),
    'dialog',
  )
}
