import type { Payload, Sent } from '@duet/protocol'
import { isSessionInvalid, RefusedError } from './call-errors.ts'
import type { Persistence } from './storage.ts'

/** The answer to AUTH, also published as event `auth_success`. */
export type AuthAnswer = Payload<'auth_success'>
export type Credentials = Pick<
  Sent<'AUTH'>,
  'login' | 'password' | 'otp' | 'ref_code' | 'signature'
>

type Identity = Partial<Sent<'AUTH'>>

/**
 * Logs the page in with what it has, in this order: given credentials, the stored token, the password in memory, a new
 * guest. The password is remembered because the answer with a rotated token may be lost.
 *
 * @param sendAuth sends AUTH for this identity; rejects with RefusedError or NoAnswerError
 */
export function createAuthentication(
  persistence: Persistence,
  sendAuth: (identity: Identity) => Promise<AuthAnswer>,
) {
  let credentials: Credentials | undefined

  async function answerFor(given?: Credentials): Promise<AuthAnswer> {
    if (given) return sendAuth(given)
    const token = persistence.get('token')
    if (token === undefined) return rememberedOrGuest()
    try {
      return await sendAuth({ token })
    } catch (error) {
      if (!isSessionInvalid(error)) throw error
      persistence.set('token', undefined)
      return rememberedOrGuest()
    }
  }

  async function rememberedOrGuest(): Promise<AuthAnswer> {
    const remembered = credentials
    credentials = undefined
    if (!remembered) return sendAuth({})
    return sendAuth(remembered).catch((error: unknown) => {
      if (error instanceof RefusedError) return sendAuth({})
      // Without an answer the password may still be right at the next attempt.
      credentials = remembered
      throw error
    })
  }

  return {
    async authenticate(given?: Credentials): Promise<AuthAnswer> {
      const answer = await answerFor(given)
      persistence.set('token', answer.token)
      if (given) credentials = given
      return answer
    },
    keepToken(token: string, remembered?: Credentials): void {
      persistence.set('token', token)
      credentials = remembered ?? credentials
    },
    forget(): void {
      credentials = undefined
      persistence.set('token', undefined)
    },
  }
}
