import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { promoteAvatar, takeOverAvatar } from './avatar/avatar-commands.ts'
import { takeOverPhoto } from './gallery/gallery-items.ts'
import { setAdultApproval } from './gallery/store.ts'

/** Uses a picture that was uploaded by the storage's own call, as avatar or as photo of the gallery. */
export async function takeOverPicture(
  tx: Tx,
  event: DomainEvents['picture_uploaded'],
): Promise<void> {
  await takeOverAvatar(tx, event)
  await takeOverPhoto(tx, event)
}

export async function followReview(tx: Tx, event: DomainEvents['media_reviewed']): Promise<void> {
  await promoteAvatar(tx, event)
  await setAdultApproval(tx, event.media_id, event.status === 'ready')
}
