import type { Sent } from '@duet/protocol'
import type { Authentication, AuthAnswer, Credentials } from './authentication.ts'
import { NoAnswerError, RefusedError } from '../call-errors.ts'
import type { Act } from '../connection.ts'
import type { ConnectionState } from '../connection-state.ts'
import type { ReconnectingSocket } from '../reconnecting-socket.ts'

interface LoginParts {
  readonly state: ConnectionState
  readonly socket: ReconnectingSocket
  readonly authentication: Authentication
  readonly authenticate: (given?: Credentials) => Promise<AuthAnswer>
  readonly act: Act
}

type CredentialChange = Pick<
  Sent<'UPDATE_PROFILE'>,
  'email' | 'password' | 'repeat_password' | 'otp' | 'passkey'
> & { readonly current_password: string }

type Registration = Sent<'UPDATE_PROFILE'> & { readonly email: string; readonly password: string }

/** The actions that change the identity of the page. */
export function createLogins({ state, socket, authentication, authenticate, act }: LoginParts) {
  return {
    async login(given: Credentials): Promise<AuthAnswer> {
      await state.whenReady()
      return authenticate(given)
    },
    /** Logs in by a token: the demo's sign-in answers with one. */
    async useToken(token: string): Promise<AuthAnswer> {
      authentication.keepToken(token)
      await state.whenReady()
      return authenticate()
    },
    /**
     * The guest becomes a member; the token changes with it. The password is kept in memory first: when the answer is
     * lost, the old token is dead, and only the password shows whether the registration took effect.
     */
    async register(registration: Registration): Promise<void> {
      const { email, password } = registration
      await state.whenReady()
      authentication.remember({ login: email, password })
      try {
        const { token, user } = await act('UPDATE_PROFILE', registration)
        if (token) authentication.keepToken(token)
        state.patchUser(user)
      } catch (error) {
        if (error instanceof RefusedError) authentication.remember(undefined)
        if (!(error instanceof NoAnswerError)) throw error
        await state.whenReady()
        if (!isRegistered(state)) await authenticate()
        if (!isRegistered(state)) throw error
      }
    },
    /**
     * Changes e-mail or password; the token changes with it. When the answer is lost, the new password is tried once the old
     * token is refused: a token that has changed shows that the change took effect.
     */
    async changeCredentials(change: CredentialChange): Promise<void> {
      await state.whenReady()
      const former = authentication.token
      const login = change.email ?? state.get().auth?.user.email ?? ''
      authentication.remember({ login, password: change.password ?? change.current_password })
      try {
        const { token, user } = await act('UPDATE_PROFILE', change)
        if (token) authentication.keepToken(token)
        state.patchUser(user)
      } catch (error) {
        if (error instanceof RefusedError) authentication.remember(undefined)
        if (!(error instanceof NoAnswerError)) throw error
        await state.whenReady()
        await authenticate()
        if (authentication.token === former || !isRegistered(state)) throw error
      }
    },
    /**
     * Ends the login. Without an answer the page forgets it, and the login ends at the server when its time is over: an AUTH
     * with its token would throw the same user off the other devices.
     */
    async logout(everywhere = false): Promise<void> {
      state.publish('logout', undefined)
      await socket.request('LOGOUT', { everywhere }).catch(() => {})
      authentication.forget()
      if (state.get().phase === 'ready') await authenticate().catch(() => leave(state))
      else leave(state)
    },
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
