import type { Body, Query } from '@duet/protocol'
import { limits } from '@duet/protocol'
import type { UploadProduct } from '@duet/protocol/contracts/media.ts'
import type { RefusalName } from '@duet/protocol/kernel/refusals.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { UserId } from '../../core/ids.ts'
import type { EndpointHandler } from '../../core/module.ts'
import { createPort } from '../../core/port.ts'
import { type RequestContext, uploadedFile } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { readModerationInfo } from '../../platform/dispatch/moderation-info.ts'
import { mediaUrl } from './media-url.ts'
import { type NewUpload, upload } from './upload.ts'

/** How uploads of one product are treated. */
interface UploadRule extends Omit<NewUpload, 'bytes'> {
  readonly bytes_max: number
  /** Also a banned user uploads it. */
  readonly for_banned?: boolean
  /** Only who may write in dialogs uploads it. */
  readonly for_writers?: boolean
}

const PHOTO = { bytes_max: limits.image_bytes, formats: ['jpeg', 'png', 'webp'] } as const

/** Takes the frames of calls, which are evidence and no uploads of a user. */
export const frameReceiver = createPort<
  EndpointHandler<'POST /upload/image/{product}'> | undefined
>('frames of calls', undefined)

/**
 * The products that users upload here, or why they are refused: documents come with consent by their own call; evidence of a
 * penalty is uploaded by staff.
 */
const RULES: Readonly<
  Record<Exclude<UploadProduct, 'frame' | 'complaint'>, UploadRule | RefusalName>
> = {
  avatar: {
    product: 'avatar',
    bytes_max: limits.avatar_bytes,
    formats: ['jpeg', 'png'],
    audience: 'everyone',
  },
  gallery: { ...PHOTO, product: 'gallery', audience: 'everyone' },
  messenger: { ...PHOTO, product: 'messenger', audience: 'owner', for_writers: true },
  support: { ...PHOTO, product: 'support', audience: 'owner', for_banned: true },
  passport: 'role_forbidden',
  selfie: 'role_forbidden',
  penalty: 'role_forbidden',
}

const OWNERS_MAX = 100_000
/** The limit of the call is that of frames, which come every few seconds. */
const UPLOADS = { burst: 120, per_second: 120 / 3600 }
const uploadLimiter = perApp(
  'media: uploads of users',
  'token buckets of users who upload pictures; start full',
  (app) => app.createRateLimiter(OWNERS_MAX),
)

async function takeUpload(app: App, key: `${UserId}` | `complaint ${UserId}`): Promise<void> {
  const nowMs = app.clock.now().epochMilliseconds
  const waitMs = await uploadLimiter(app).take(key, UPLOADS, nowMs)
  if (waitMs > 0) refuse('too_many', { retry_after: Math.ceil(waitMs / 1000) })
}

/**
 * Stores a picture for one purpose. The module that uses pictures of the product learns of it by `picture_uploaded`.
 * Name and type of the file, and an original beside it, are ignored: decoding decides what it is.
 */
export async function uploadImage(
  app: App,
  viewer: Guest | Member,
  input: Query<'POST /upload/image/{product}'> & Body<'POST /upload/image/{product}'>,
  context: RequestContext,
): ReturnType<EndpointHandler<'POST /upload/image/{product}'>> {
  const { product } = input
  // Photos of the user leave room for evidence.
  if (product === 'complaint') await takeUpload(app, `complaint ${viewer.id}`)
  if (product === 'frame' || product === 'complaint')
    return receiveFrame(app, viewer, input, context)
  const rule = RULES[product]
  if (typeof rule === 'string') refuse(rule)
  // A guest is free, so the limits of one owner would not bound what guests store.
  if (viewer.kind !== 'member') refuse('registered_only')
  if (viewer.banned && !rule.for_banned)
    refuse('banned', await readModerationInfo.get(app)(app, viewer))
  if (rule.for_writers && viewer.role !== 'girl' && !viewer.premium) refuse('premium_only')
  const { bytes } = uploadedFile(context, 'image', rule.bytes_max)
  await takeUpload(app, `${viewer.id}`)
  return upload(app, viewer, { ...rule, bytes }, async (tx, row) => {
    const { id, width, height } = row
    const status = row.status === 'pending' ? ('pending' as const) : ('ready' as const)
    const owner_id = viewer.id
    await tx.publish('picture_uploaded', { media_id: id, owner_id, product: rule.product, status })
    const url = mediaUrl(app, { id: owner_id, age_confirmed: true }, row, 'full')
    const answer = { id, url, width, height, status }
    await context.storeAnswer?.(tx, answer)
    return answer
  })
}

/** A frame comes with the nonce that asked for it. */
const receiveFrame: EndpointHandler<'POST /upload/image/{product}'> = async (app, ...request) => {
  const receive = frameReceiver.get(app) ?? refuse('not_found')
  return receive(app, ...request)
}
