import type { PhotoVerdict } from '@duet/protocol/kernel/sanctions.ts'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Judgement } from '../../../integrations/vision/vision.ts'
import type { StoredProduct } from '../rules.ts'

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

/** The findings about one picture. */
export interface PictureFindings {
  /** The known picture that it is. */
  readonly known_picture_id: number | undefined
  /** Undefined: no model has judged it. */
  readonly judgement: Judgement | undefined
}

export interface PictureCheckRules {
  readonly upload_refuse: number
  readonly upload_review: number
  /** The installation has adult galleries: what an owner marks as adult is looked at by staff and not refused. */
  readonly accepts_adult: boolean
}

/** Support needs to see what a user complains about, and no other user sees it. */
export function isChecked({ product }: Pick<PictureSubject, 'product'>): boolean {
  return product !== 'support'
}

/** A picture that could not be judged waits for staff: it is never visible unseen. */
export function decideVerdict(
  { owner_role, product, adult }: PictureSubject,
  { known_picture_id, judgement }: PictureFindings,
  { upload_refuse, upload_review, accepts_adult }: PictureCheckRules,
): PictureVerdict {
  if (known_picture_id !== undefined) return { type: 'refused', refusal: 'image_removed' }
  const nudity = judgement?.nudity ?? 0
  if (nudity >= upload_refuse && !(adult && accepts_adult))
    return { type: 'refused', refusal: 'nudity' }
  if (judgement === undefined) return { type: 'pending', reason: 'unchecked' }
  if (nudity >= upload_review) return { type: 'pending', reason: 'nudity' }
  const isGirlsAvatar = owner_role === 'girl' && product === 'avatar'
  return isGirlsAvatar || adult ? { type: 'pending', reason: null } : { type: 'ready' }
}

/** The hashes of two forms of one picture differ in at most this many of 256 bits. */
export const DISTANCE_MAX = 31
const PARTS = 16
const PART_BITS = 16

/** Of a picture that waits for the decision about a report, not for that of the desk of pictures. */
export const REPORTED_REASON = 'intimate_image'

/** The bits of every second column of frequencies, whose sign a mirror turns. */
const TURNED_BITS = BigInt(`0x${'5'.repeat((PARTS * PART_BITS) / 4)}`)

/**
 * The hash of the mirrored picture, where only the hash of the picture is stored. A frequency between the median and its
 * negative keeps its bit: so the result differs in some bits from the hash that the mirrored picture itself has.
 */
export function mirrorHash(hash: string): string {
  return (BigInt(`0x${hash}`) ^ TURNED_BITS).toString(16).padStart(hash.length, '0')
}

/** The parts of a hash, each as one number with its place. */
export function listParts(hash: string): readonly number[] {
  const digits = PART_BITS / 4
  return Array.from({ length: PARTS }, (_, part) => {
    const value = Number.parseInt(hash.slice(part * digits, (part + 1) * digits), 16)
    return part * 2 ** PART_BITS + value
  })
}

/**
 * The parts that a hash within `DISTANCE_MAX` may have: if each of the 16 parts differed in two bits, the hashes would differ
 * in 32. So one of them differs in one bit or none.
 */
export function partsNear(hash: string): readonly number[] {
  return listParts(hash).flatMap((part) => [
    part,
    ...Array.from({ length: PART_BITS }, (_, bit) => part ^ (1 << bit)),
  ])
}

/** Whether the removed picture is refused from all users, or only from its uploader: the person it shows may upload it. */
export function isRefusedFromAll(reason: string): boolean {
  return reason !== 'not_you'
}

const SEVERE_VERDICTS: ReadonlySet<string> = new Set<PhotoVerdict>([
  'nudity',
  'minor',
  'known_image',
  'intimate_image',
])

/** A decision with this verdict counts as a severe case of the person who decides; null: the picture was approved. */
export function isSevereVerdict(reason: string | null): boolean {
  return reason !== null && SEVERE_VERDICTS.has(reason)
}
