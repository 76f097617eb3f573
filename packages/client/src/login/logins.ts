import type { Answer, Body, Sent } from '@duet/protocol'
import type { Act } from './act.ts'
import type { Authentication, AuthAnswer, Credentials } from './authentication.ts'
import { NoAnswerError } from '../call-errors.ts'
import type { Http } from '../http.ts'
import type { ConnectionState } from '../connection-state.ts'
import type { ReconnectingSocket } from '../reconnecting-socket.ts'
import type { Persistence, OwnTexts, Persisted } from '../storage.ts'

interface LoginParts {
  readonly state: ConnectionState
  readonly socket: ReconnectingSocket
  readonly authentication: Authentication
  readonly authenticate: (given?: Credentials) => Promise<AuthAnswer>
  readonly act: Act
  readonly http: Http
  readonly persistence: Persistence
}

type CredentialChange = Pick<
  Sent<'UPDATE_PROFILE'>,
  'email' | 'password' | 'repeat_password' | 'otp' | 'passkey'
> & { readonly current_password: string }

type Registration = Sent<'UPDATE_PROFILE'> & { readonly email: string; readonly password: string }

/** The actions that change the identity of the page. */
export function createLogins(parts: LoginParts) {
  const { state, socket, authentication, authenticate, http, persistence } = parts
  const change = createChange(parts)
  return {
    async login(given: Credentials): Promise<AuthAnswer> {
      await state.whenReady()
      return authenticate(given)
    },
    /** Logs in with a token, such as the token of the demo's sign-in. */
    async useToken(token: string): Promise<AuthAnswer> {
      authentication.keepToken(token)
      await state.whenReady()
      return authenticate()
    },
    /**
     * The guest becomes a member, and the token changes. Memory keeps the password until the answer: if the answer is
     * lost, the old token is dead, and only the password shows whether the registration took effect.
     */
    async register(registration: Registration): Promise<void> {
      const { email, password } = registration
      await state.whenReady()
      await change({ login: email, password }, registration, async () => {
        if (!isRegistered(state)) await authenticate()
        return isRegistered(state)
      })
    },
    /**
     * Changes e-mail or password, and the token changes. If the answer is lost and the server refuses the old token,
     * the page tries the new password. A dead old token shows that the change took effect.
     */
    async changeCredentials(fields: CredentialChange): Promise<void> {
      await state.whenReady()
      const former = authentication.token
      const login = fields.email ?? state.get().auth?.user.email ?? ''
      const password = fields.password ?? fields.current_password
      await change({ login, password }, fields, async () => {
        await authenticate()
        return authentication.token !== former && isRegistered(state)
      })
    },
    /** Asks for the deletion. It ends every login, and no login of this page may follow by itself: it would take it back. */
    async deleteAccount(
      given: Body<'POST delete_account'>,
    ): Promise<Answer<'POST delete_account'>> {
      authentication.expect(undefined)
      const userId = state.get().auth?.user.id
      const answer = await http.post('delete_account', given)
      removeOwnTexts(persistence, userId)
      return answer
    },
    /**
     * Ends the login. Without an answer the page forgets the login, and the server ends the login when its time is
     * over. Another AUTH with the token would disconnect the user's other devices. The user's texts leave the browser
     * at once, and again at the end: a screen may have stored a text meanwhile.
     */
    async logout(everywhere = false): Promise<void> {
      const userId = state.get().auth?.user.id
      state.publish('logout', undefined)
      removeOwnTexts(persistence, userId)
      // Another person may use the device next.
      persistence.set('age_accepted', undefined)
      persistence.set('sex', undefined)
      await socket.request('LOGOUT', { everywhere }).catch(() => {})
      authentication.forget()
      if (state.get().phase === 'ready') await authenticate().catch(() => leave(state))
      else leave(state)
      removeOwnTexts(persistence, userId)
    },
  }
}

/**
 * Sends a change of the login. `next` is kept until the answer is known. If the answer is lost, `tookEffect` finds out
 * whether the change took effect.
 */
function createChange({ state, authentication, act }: LoginParts) {
  return async (
    next: Credentials,
    fields: Sent<'UPDATE_PROFILE'>,
    tookEffect: () => Promise<boolean>,
  ): Promise<void> => {
    authentication.expect(next)
    try {
      const { token, user } = await act('UPDATE_PROFILE', fields)
      if (token) authentication.keepToken(token)
      state.patchUser(user)
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error
      await state.whenReady()
      if (!(await tookEffect())) throw error
    } finally {
      authentication.expect(undefined)
    }
  }
}

function isRegistered(state: ConnectionState): boolean {
  return Boolean(state.get().auth?.user.email)
}

/** The page has no user until AUTH answers. */
function leave(state: ConnectionState): void {
  const { auth: _, ...rest } = state.get()
  state.publish('identity', undefined)
  state.set(rest)
}

/** The type demands every key of `OwnTexts`, so that every text is removed after a log-out. */
const OWN_TEXTS: Record<keyof OwnTexts, true> = {
  unsent_messages: true,
  translated_dialogs: true,
  drafts: true,
}

/**
 * Removes the user's texts and choices in the messenger from this browser. Another user of the device could read them.
 */
function removeOwnTexts(persistence: Persistence, userId: number | undefined): void {
  keepTexts(persistence, (user_id) => user_id !== userId)
}

/**
 * A login that the server ended leaves its texts for the same user. The login of another user removes the texts.
 */
export function removeTextsOfOthers(persistence: Persistence, userId: number): void {
  keepTexts(persistence, (user_id) => user_id === userId)
}

function keepTexts(persistence: Persistence, keeps: (user_id: number) => boolean): void {
  for (const key of Object.keys(OWN_TEXTS) as (keyof OwnTexts)[])
    keepTextsUnder(persistence, key, keeps)
}

function keepTextsUnder<K extends keyof OwnTexts>(
  { get, set }: Persistence,
  key: K,
  keeps: (user_id: number) => boolean,
): void {
  const stored: readonly { readonly user_id: number }[] = get(key) ?? []
  const kept = stored.filter(({ user_id }) => keeps(user_id))
  if (kept.length < stored.length)
    set(key, kept.length > 0 ? (kept as unknown as Persisted[K]) : undefined)
}
