import type { Answer } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { hasFinalAnswer } from '../queries.ts'
import { isUnavailable } from '../unavailable.ts'

const KEY_PREFIX = 'duet-'

/** Our name for a user at the provider: nothing of the person. */
export function getUserKey(user_id: UserId): string {
  return `${KEY_PREFIX}${user_id}`
}

export function userOfKey(key: string): UserId | undefined {
  const digits = key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : ''
  return /^[1-9]\d{0,15}$/.test(digits) ? Number(digits) : undefined
}

/** A token for the frame of the provider, for the user alone. Refuses method_unavailable without a provider that answers. */
export async function providerToken(
  { kyc, db, log }: App,
  viewer: Member,
): Promise<Answer<'GET ss/kyc/token'>> {
  if (!kyc || (await hasFinalAnswer(db, viewer.id))) refuse('method_unavailable')
  try {
    const token = await kyc.createToken(getUserKey(viewer.id))
    return { token, user_id: viewer.id, url: kyc.frame_origin }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    log.warn({ err: error }, 'the provider of identity checks gave no token')
    return refuse('method_unavailable')
  }
}
