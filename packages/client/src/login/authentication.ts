import { createSerialRunner } from '@duet/state-machine/serial-queue.ts'
import type { Payload, Sent } from '@duet/protocol'
import { isSessionInvalid, RefusedError } from '../call-errors.ts'
import type { Persistence } from '../storage.ts'

/** The answer to AUTH, also published as event `auth_success`. */
export type AuthAnswer = Payload<'auth_success'>
export type Credentials = Pick<
  Sent<'AUTH'>,
  'login' | 'password' | 'otp' | 'passkey' | 'ref_code' | 'signature'
>

type Identity = Partial<Sent<'AUTH'>>

type SendAuth = (identity: Identity) => Promise<AuthAnswer>

/**
 * Logs the page in with the first of these: given credentials, the stored token, the login of a change without an
 * answer, a new guest. The page remembers no other password, so a login that the server ended does not begin again by
 * itself. Such a login would undo a deletion of the account or a log-out from another device.
 */
export class Authentication {
  readonly #persistence: Persistence
  readonly #sendAuth: SendAuth
  #expected: Credentials | undefined
  /** The token that the server refused last. It is not sent again, even if another tab stores it. */
  #refusedToken: string | undefined
  #shared: Promise<AuthAnswer> | undefined
  #inTurn = createSerialRunner()

  /** @param sendAuth sends AUTH for this identity; rejects with RefusedError or NoAnswerError */
  constructor(persistence: Persistence, sendAuth: SendAuth) {
    this.#persistence = persistence
    this.#sendAuth = sendAuth
  }

  /**
   * Two authentications at a time would end each other's identity. So callers without credentials share an
   * authentication.
   */
  authenticate(given?: Credentials): Promise<AuthAnswer> {
    if (given) return this.#inTurn(() => this.#logIn(given))
    if (this.#shared) return this.#shared
    const own = this.#inTurn(() => this.#byStoredToken()).finally(() => {
      if (this.#shared === own) this.#shared = undefined
    })
    this.#shared = own
    return own
  }

  /** The socket is new. An authentication on the former socket does not delay this authentication. */
  beginSocket(): void {
    this.#shared = undefined
    this.#inTurn = createSerialRunner()
  }

  /** The token that the page holds now. */
  get token(): string | undefined {
    return this.#storedToken()
  }

  keepToken(token: string): void {
    this.#persistence.set('token', token)
  }

  /** The login that will hold once a change is committed whose answer may be lost, until the answer is known. */
  expect(next: Credentials | undefined): void {
    this.#expected = next
  }

  forget(): void {
    this.#expected = undefined
    this.#persistence.set('token', undefined)
  }

  async #logIn(given: Credentials): Promise<AuthAnswer> {
    const answer = this.#store(await this.#sendAuth(given))
    this.#expected = undefined
    return answer
  }

  async #byStoredToken(): Promise<AuthAnswer> {
    const token = this.#storedToken()
    if (token === undefined) return this.#expectedOrGuest()
    try {
      return this.#store(await this.#sendAuth({ token }))
    } catch (error) {
      if (!isSessionInvalid(error)) throw error
      this.#refusedToken = token
      // Another tab may have stored a rotated token during this AUTH: only the refused token is dropped.
      if (this.#persistence.get('token') === token) this.#persistence.set('token', undefined)
      return this.#byStoredToken()
    }
  }

  async #expectedOrGuest(): Promise<AuthAnswer> {
    const expected = this.#expected
    if (!expected) return this.#asGuest()
    try {
      return await this.#logIn(expected)
    } catch (error) {
      // Without an answer the password may still be right at the next attempt.
      if (!(error instanceof RefusedError)) throw error
      this.#expected = undefined
      return this.#asGuest()
    }
  }

  async #asGuest(): Promise<AuthAnswer> {
    const answer = await this.#sendAuth({})
    // Another tab of this browser may have stored a login during this AUTH: a guest's token must not replace it.
    return this.#storedToken() === undefined ? this.#store(answer) : this.#byStoredToken()
  }

  #storedToken(): string | undefined {
    const token = this.#persistence.get('token')
    return token === this.#refusedToken ? undefined : token
  }

  #store(answer: AuthAnswer): AuthAnswer {
    this.#persistence.set('token', answer.token)
    return answer
  }
}
