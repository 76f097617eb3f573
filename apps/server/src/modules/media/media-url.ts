import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  timingSafeEqual,
} from 'node:crypto'
import { limits, type PictureVariant } from '@duet/protocol'
import { keyFor } from '../../lib/derived-key.ts'
import type { AppContext } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { cachedUser, isPremium } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import type { MediaViewer } from './rules.ts'

/** The address of a blurred picture never expires; clients get a year. */
const BLURRED_URL_HOURS = 24 * 365

const BLOCK_CIPHER = 'aes-256-ecb'
const BLOCK_BYTES = 16

/** The address of a picture stays the same for this long, so that browsers can cache it. */
const STABLE_URL_SECONDS = limits.media_url_seconds / 2

export async function readMediaViewer(
  app: AppContext,
  db: Db,
  user_id: UserId | null,
): Promise<MediaViewer> {
  const row = user_id === null ? undefined : await cachedUser(app, db, user_id)
  const exists = row !== undefined && row.erased_at === null
  return {
    id: user_id,
    age_confirmed: exists && row.age_confirmed_at !== null,
    premium: exists && isPremium(row, app.clock.now()),
    sees_adult: exists && row.shows_adult && hasAdultGallery(app),
  }
}

/** The adult gallery exists where the operator switched it on and the content policy permits it. */
export function hasAdultGallery(app: AppContext): boolean {
  return setting(app, 'nsfw_gallery') && setting(app, 'content_policy') === 'adult'
}

/** The two ids of a picture: `blurred_id` opens the blurred form and nothing else. */
export interface PictureIds {
  readonly id: string
  readonly blurred_id: string
}

export type AddressedSize = 'small' | 'card' | 'full' | 'video'

/** The address of a picture for one viewer: signed and short-lived, or, without age confirmation, the blurred one for everyone. */
export function mediaUrl(
  app: AppContext,
  viewer: Pick<MediaViewer, 'id' | 'age_confirmed'>,
  { id, blurred_id }: PictureIds,
  size: AddressedSize,
): string {
  if (viewer.id === null || !viewer.age_confirmed) return blurredUrl(blurred_id)
  const nowSeconds = Math.floor(app.clock.now().epochMilliseconds / 1000)
  const expires = Math.ceil(nowSeconds / STABLE_URL_SECONDS + 1) * STABLE_URL_SECONDS
  const code = encodeViewer(app, viewer.id, { id, size, expires: String(expires) })
  const signature = sign(app, id, size, code, String(expires))
  return `/media/${id}/${size}?viewer=${code}&expires=${expires}&signature=${signature}`
}

/** A picture at every width in which it is stored, the narrowest first. A narrow one has fewer: none is enlarged. */
export function pictureVariants(
  app: AppContext,
  viewer: Pick<MediaViewer, 'id' | 'age_confirmed'>,
  { width, ...ids }: PictureIds & { readonly width: number },
): PictureVariant[] {
  const sizes = ['small', 'card', 'full'] as const
  const getWidth = (size: (typeof sizes)[number]) => Math.min(app.images.widths[size], width)
  return sizes
    .filter((size, at) => at === 0 || getWidth(size) > getWidth(sizes[at - 1]!))
    .map((size) => ({ width: getWidth(size), url: mediaUrl(app, viewer, ids, size) }))
}

export function blurredUrl(blurred_id: string): string {
  return `/media/${blurred_id}/blur`
}

/** The parts of a requested address, unchecked. */
export interface MediaUrlParts {
  readonly id: string
  readonly size: string
  readonly viewer?: string | undefined
  readonly expires?: string | undefined
  readonly signature?: string | undefined
}

/** The viewer of an address; undefined if its signature is wrong or it has expired. */
export function viewerOfUrl(
  app: AppContext,
  { id, size, viewer, expires, signature }: MediaUrlParts,
): UserId | undefined {
  if (!viewer || !expires || !signature) return undefined
  const expected = Buffer.from(sign(app, id, size, viewer, expires))
  const given = Buffer.from(signature)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
  if (Number(expires) * 1000 <= app.clock.now().epochMilliseconds) return undefined
  return decodeViewer(app, viewer, { id, size, expires })
}

type AddressParts = Readonly<Record<'id' | 'size' | 'expires', string>>

/**
 * A shared address must not tell who shared it. One block of AES: half of it is the viewer, and half depends on the
 * address, so that two addresses of one viewer have nothing in common. The same address stays the same for caches.
 */
function encodeViewer(app: AppContext, viewerId: UserId, parts: AddressParts): string {
  const block = Buffer.alloc(BLOCK_BYTES)
  block.writeBigUInt64BE(BigInt(viewerId))
  addressDigest(parts).copy(block, BLOCK_BYTES / 2)
  const cipher = createCipheriv(BLOCK_CIPHER, viewerKey(app), null).setAutoPadding(false)
  return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url')
}

function decodeViewer(app: AppContext, code: string, parts: AddressParts): UserId | undefined {
  const sealed = Buffer.from(code, 'base64url')
  if (sealed.length !== BLOCK_BYTES) return undefined
  const cipher = createDecipheriv(BLOCK_CIPHER, viewerKey(app), null).setAutoPadding(false)
  const block = Buffer.concat([cipher.update(sealed), cipher.final()])
  if (!block.subarray(BLOCK_BYTES / 2).equals(addressDigest(parts))) return undefined
  return Number(block.readBigUInt64BE())
}

function viewerKey(app: AppContext): Buffer {
  return keyFor(app.config, 'viewers of media addresses')
}

function addressDigest({ id, size, expires }: AddressParts): Buffer {
  const digest = createHash('sha256').update([id, size, expires].join('\n')).digest()
  return digest.subarray(0, BLOCK_BYTES / 2)
}

/** When an address made by `mediaUrl` expires. */
export function getExpiry(app: AppContext, url: string): Temporal.Instant {
  const expires = new URLSearchParams(url.split('?')[1]).get('expires')
  return expires === null
    ? app.clock.now().add({ hours: BLURRED_URL_HOURS })
    : Temporal.Instant.fromEpochMilliseconds(Number(expires) * 1000)
}

function sign(app: AppContext, ...parts: string[]): string {
  return createHmac('sha256', keyFor(app.config, 'media addresses'))
    .update(parts.join('\n'))
    .digest('base64url')
}
