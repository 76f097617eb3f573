import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AppContext } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { keyFor } from '../../../lib/derived-key.ts'

/** How long a page has for the frame that it is asked for, with the time of a slow upload. */
const VALID_SECONDS = 30

/** The request of a frame: bound to one complaint, one user and one call. */
export interface FrameRequest {
  readonly complaint_id: number
  readonly user_id: UserId
  readonly session_id: number
}

export function createNonce(app: AppContext, request: FrameRequest): string {
  const expires = Math.floor(app.clock.now().epochMilliseconds / 1000) + VALID_SECONDS
  return `${request.complaint_id}.${expires}.${sign(app, request, expires)}`
}

/** The complaint that a nonce was made for; undefined if it is forged, another user's or another call's, or too old. */
export function readNonce(
  app: AppContext,
  nonce: string,
  of: Omit<FrameRequest, 'complaint_id'>,
): number | undefined {
  const [complaint, expires = '', signature = ''] = nonce.split('.')
  const complaint_id = Number(complaint)
  if (!Number.isSafeInteger(complaint_id) || !/^\d{1,12}$/.test(expires)) return undefined
  const expected = Buffer.from(sign(app, { ...of, complaint_id }, Number(expires)))
  const given = Buffer.from(signature)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
  return Number(expires) * 1000 > app.clock.now().epochMilliseconds ? complaint_id : undefined
}

function sign(
  app: AppContext,
  { complaint_id, user_id, session_id }: FrameRequest,
  expires: number,
): string {
  return createHmac('sha256', keyFor(app.config, 'nonces of frames'))
    .update([complaint_id, user_id, session_id, expires].join('\n'))
    .digest('base64url')
}
