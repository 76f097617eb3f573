import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { ProcessedImage } from '../../integrations/images/images.ts'
import type { StoredProduct } from './store.ts'

/** The facts about a picture when it is uploaded. */
export interface PictureSubject {
  readonly owner_id: UserId
  /** Null: a guest, who uploads to support only. */
  readonly owner_role: Role | null
  readonly product: StoredProduct
  /** The owner marked it as adult. */
  readonly adult: boolean
}

/** `reason` of a picture that waits is shown to staff; a refused one is not stored. */
export type PictureVerdict =
  | { readonly type: 'ready' }
  | { readonly type: 'pending'; readonly reason: string | null }
  | { readonly type: 'refused'; readonly refusal: 'nudity' | 'image_removed' }

/**
 * Judges an upload before anything of it is stored or shown. Staff look at every avatar of a girl and at everything that is
 * marked as adult; the rest is visible at once.
 */
export async function checkPicture(
  _app: App,
  { owner_role, product, adult }: PictureSubject,
  _picture: ProcessedImage,
): Promise<PictureVerdict> {
  const isGirlsAvatar = owner_role === 'girl' && product === 'avatar'
  return isGirlsAvatar || adult ? { type: 'pending', reason: null } : { type: 'ready' }
}
