import type { UploadProduct } from '@duet/protocol/contracts/media.ts'
import { limits } from '@duet/protocol'
import type { Viewer } from '../../core/viewer.ts'
import type { RefusalName } from '@duet/protocol/kernel/refusals.ts'
import type { ImageFormat } from '../../integrations/images/images.ts'
import type { Audience, StoredProduct } from './rules.ts'

/** How uploads of one product are treated. */
interface UploadRule {
  readonly product: StoredProduct
  readonly bytes_max: number
  readonly formats: readonly ImageFormat[]
  readonly audience: Audience
  readonly may: (viewer: Viewer) => RefusalName | undefined
}

const PHOTOS: readonly ImageFormat[] = ['jpeg', 'png', 'webp']
const memberOnly = (viewer: Viewer): RefusalName | undefined =>
  viewer.kind === 'member' ? undefined : 'registered_only'
const writerOnly = (viewer: Viewer): RefusalName | undefined => {
  if (viewer.kind !== 'member') return 'registered_only'
  return viewer.role === 'girl' || viewer.premium ? undefined : 'premium_only'
}

/** The products that users upload here. */
export const UPLOAD_RULES = {
  avatar: {
    product: 'avatar',
    bytes_max: limits.avatar_bytes,
    formats: ['jpeg', 'png'],
    audience: 'everyone',
    may: memberOnly,
  },
  gallery: {
    product: 'gallery',
    bytes_max: limits.image_bytes,
    formats: PHOTOS,
    audience: 'everyone',
    may: memberOnly,
  },
  messenger: {
    product: 'messenger',
    bytes_max: limits.image_bytes,
    formats: PHOTOS,
    audience: 'owner',
    may: writerOnly,
  },
  support: {
    product: 'support',
    bytes_max: limits.image_bytes,
    formats: PHOTOS,
    audience: 'owner',
    // A guest is free, so the limits of one owner would not bound what guests store.
    may: memberOnly,
  },
} as const satisfies Partial<Record<UploadProduct, UploadRule>>

/**
 * Why the others are refused: `frame` and `complaint` need the nonce of a frame_request, and none has been issued;
 * documents come with consent by their own call; evidence of a penalty is uploaded by staff.
 */
export const REFUSED_PRODUCTS = {
  frame: 'not_found',
  complaint: 'not_found',
  passport: 'role_forbidden',
  selfie: 'role_forbidden',
  penalty: 'role_forbidden',
} as const satisfies Record<Exclude<UploadProduct, keyof typeof UPLOAD_RULES>, RefusalName>

/** The rule of a product for this viewer; the refusal where the viewer may not upload it. */
export function uploadRuleFor(product: UploadProduct, viewer: Viewer): UploadRule | RefusalName {
  if (product in REFUSED_PRODUCTS) return REFUSED_PRODUCTS[product as keyof typeof REFUSED_PRODUCTS]
  const rule: UploadRule = UPLOAD_RULES[product as keyof typeof UPLOAD_RULES]
  return rule.may(viewer) ?? rule
}
