import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AppContext } from '../../../core/app.ts'
import { keyFor } from '../../../lib/derived-key.ts'

/** How long a page has for the frame that it is asked for, with the time of a slow upload. */
export const VALID_SECONDS = 30
const PURPOSES = ['complaint', 'sample'] as const

/** Why a frame was asked for: the number of a complaint, or when the sample was asked for (epoch milliseconds). */
export interface FrameOccasion {
  readonly purpose: (typeof PURPOSES)[number]
  readonly number: number
}

/** The request of a frame: bound to one occasion, one user and one call. */
interface FrameRequest extends FrameOccasion {
  readonly user_id: number
  readonly session_id: number
}

export function createNonce(app: AppContext, request: FrameRequest): string {
  const expires = Math.floor(app.clock.now().epochMilliseconds / 1000) + VALID_SECONDS
  return [request.number, request.purpose, expires, sign(app, request, expires)].join('.')
}

/** The occasion that a nonce was made for; undefined if it is forged, another user's or another call's, or too old. */
export function readNonce(
  app: AppContext,
  nonce: string,
  of: Pick<FrameRequest, 'user_id' | 'session_id'>,
): FrameOccasion | undefined {
  const [first, word, expires = '', signature = ''] = nonce.split('.')
  const number = Number(first)
  const purpose = PURPOSES.find((one) => one === word)
  if (!purpose || !Number.isSafeInteger(number) || !/^\d{1,12}$/.test(expires)) return undefined
  const expected = Buffer.from(sign(app, { ...of, purpose, number }, Number(expires)))
  const given = Buffer.from(signature)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
  const isValid = Number(expires) * 1000 > app.clock.now().epochMilliseconds
  return isValid ? { purpose, number } : undefined
}

function sign(
  app: AppContext,
  { purpose, number, user_id, session_id }: FrameRequest,
  expires: number,
): string {
  return createHmac('sha256', keyFor(app.config, 'nonces of frames'))
    .update([purpose, number, user_id, session_id, expires].join('\n'))
    .digest('base64url')
}
