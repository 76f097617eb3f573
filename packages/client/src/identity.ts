import type { Payload, Sent } from '@duet/protocol'
import { isSessionInvalid, RefusedError } from './call-errors.ts'
import type { Persistence } from './storage.ts'

export type AuthSuccess = Payload<'auth_success'>
export type Credentials = Pick<
  Sent<'AUTH'>,
  'login' | 'password' | 'otp' | 'ref_code' | 'signature'
>

/** Who this page is: the token that is kept, and a password in memory for the case that the answer with a new token was lost. */
export function identityOf(
  persistence: Persistence,
  auth: (who: Partial<Sent<'AUTH'>>) => Promise<AuthSuccess>,
) {
  let credentials: Credentials | undefined

  /** With what there is, in this order: given credentials, the kept token, remembered credentials, a new guest. */
  async function answer(given?: Credentials): Promise<AuthSuccess> {
    if (given) return auth(given)
    const token = persistence.get('token')
    if (token === undefined) return rememberedOrGuest()
    try {
      return await auth({ token })
    } catch (error) {
      if (!isSessionInvalid(error)) throw error
      persistence.set('token', undefined)
      return rememberedOrGuest()
    }
  }

  async function rememberedOrGuest(): Promise<AuthSuccess> {
    const remembered = credentials
    credentials = undefined
    if (!remembered) return auth({})
    return auth(remembered).catch((error: unknown) => {
      if (error instanceof RefusedError) return auth({})
      // Nobody answered: the password is still good for the next try.
      credentials = remembered
      throw error
    })
  }

  return {
    async authenticate(given?: Credentials): Promise<AuthSuccess> {
      const answered = await answer(given)
      persistence.set('token', answered.token)
      if (given) credentials = given
      return answered
    },
    keep(token: string, remembered?: Credentials): void {
      persistence.set('token', token)
      credentials = remembered ?? credentials
    },
    forget(): void {
      credentials = undefined
      persistence.set('token', undefined)
    },
  }
}
