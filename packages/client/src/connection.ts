import type { Ack, ActionName, Sent } from '@duet/protocol'
import { type AuthAnswer, createAuthentication, type Credentials } from './authentication.ts'
import { isSessionInvalid } from './call-errors.ts'
import { changeIdOf, createChangeTracker } from './change-tracker.ts'
import { type ConnectionProblem, drainingFor } from './connection-problem.ts'
import { type ConnectionState, createConnectionState } from './connection-state.ts'
import { createHttp, type Http } from './http.ts'
import { loadSocketLibrary, openMainSocket, type SocketHandlers } from './main-socket.ts'
import {
  createReconnectingSocket,
  FORCED_RETRY_MS,
  type ReconnectingSocket,
} from './reconnecting-socket.ts'
import type { Persistence } from './storage.ts'

const SOCKET_VERSION = '2.0.1'

export interface ConnectionOptions {
  readonly origin: string
  readonly page_origin?: string
  readonly persistence: Persistence
  readonly tabId: () => Promise<string>
  readonly locale: () => string
  readonly fetch?: typeof fetch
  /** Values of the entry link; sent with every AUTH until the user has registered. */
  readonly entry?: () => { ref_code?: string; signature?: string }
}

export type ClientConnection = ReturnType<typeof createConnection>

/**
 * The connection to the server: `GET system`, main socket, AUTH, and the same again after every loss. Actions wait until
 * AUTH has answered.
 */
export function createConnection(options: ConnectionOptions) {
  const state = createConnectionState()
  const http = httpOf(options, () => socket.reconnect(0))
  const changes = createChangeTracker({
    fetchSince: async (since) =>
      (await socket.request('GET_CHANGES', { since })) as Ack<'GET_CHANGES'>,
    apply: state.receive,
    reset: () => state.publish('reset', undefined),
  })
  const socket = createReconnectingSocket({
    open: (handlers) => open(options, http, handlers),
    authenticate: () => authenticate(),
    onEvent: receive,
    onConnecting: () =>
      state.change({ phase: state.get().phase === 'offline' ? 'offline' : 'connecting' }),
    onLost: (problem) => state.change({ phase: 'offline', problem: problemNow(state, problem) }),
    onOtherTab: () => state.change({ phase: 'other_tab' }),
  })
  const authentication = createAuthentication(options.persistence, async (identity) => {
    const data = await authData(options, identity)
    return (await socket.request('AUTH', data)) as AuthAnswer
  })

  async function authenticate(given?: Credentials): Promise<AuthAnswer> {
    const answer = await authentication.authenticate(given)
    const before = state.get().auth
    const isSameUser = before?.user.id === answer.user.id
    if (!isSameUser) changes.begin(answer.change_id)
    state.set({ phase: 'ready', auth: answer })
    if (!isSameUser && before) state.publish('identity', answer)
    if (isSameUser && answer.user.email) void changes.resume(answer.change_id).catch(() => {})
    return answer
  }

  function receive(event: string, payload: unknown): void {
    if (event === 'reconnect') drain(state, socket, payload as { after_ms?: number })
    const changeId = event === 'auth_success' ? undefined : changeIdOf(payload)
    if (changeId === undefined) state.receive(event, payload)
    else changes.receive(changeId, event, payload)
  }

  return {
    http,
    on: state.on,
    getSnapshot: state.get,
    /** The page's own id: the signaling socket sends the same one. */
    tabId: options.tabId,
    subscribe: (listener: () => void) => state.on('snapshot', listener),
    start: () => socket.connect(),
    /** Resolves once AUTH has answered; HTTP calls of a guest need its token. */
    ready: state.whenReady,
    /** Changes the own record after an HTTP call, until the server's event does. */
    patchUser: state.patchUser,
    ...actionsOf(state, socket, authenticate),
    ...loginsOf({ state, socket, persistence: options.persistence, authentication, authenticate }),
    /** After "use it here" and the browser's `online` event: does not wait for the next attempt. */
    reconnectNow: () => socket.reconnect(FORCED_RETRY_MS),
    close(): void {
      socket.close()
      state.change({ phase: 'closed' })
    },
  }
}

/** The server is about to stop and names the time after which the client connects again. */
function drain(
  state: ConnectionState,
  socket: ReconnectingSocket,
  { after_ms }: { after_ms?: number },
): void {
  const afterMs = Number(after_ms ?? FORCED_RETRY_MS)
  state.change({ problem: drainingFor(afterMs, Date.now()) })
  socket.reconnect(afterMs)
}

type Authenticate = (given?: Credentials) => Promise<AuthAnswer>

function actionsOf(state: ConnectionState, socket: ReconnectingSocket, authenticate: Authenticate) {
  return {
    /**
     * Sends an action once AUTH has answered. Rejects with `NoAnswerError`, or with a `RefusedError` that `isRefused`
     * narrows to the refusals of the action's contract. An action that meets `session_invalid` is repeated once, after AUTH.
     */
    async act<A extends ActionName>(action: A, data: Sent<A>): Promise<Ack<A>> {
      await state.whenReady()
      try {
        return (await socket.request(action, data)) as Ack<A>
      } catch (error) {
        if (!isSessionInvalid(error)) throw error
        await authenticate()
        return (await socket.request(action, data)) as Ack<A>
      }
    },
  }
}

interface LoginParts {
  readonly state: ConnectionState
  readonly socket: ReconnectingSocket
  readonly persistence: Persistence
  readonly authentication: ReturnType<typeof createAuthentication>
  readonly authenticate: Authenticate
}

function loginsOf({ state, socket, persistence, authentication, authenticate }: LoginParts) {
  return {
    async login(given: Credentials): Promise<AuthAnswer> {
      await state.whenReady()
      return authenticate(given)
    },
    /** Logs in by a token: the demo's sign-in and a registration answer with one. */
    async useToken(token: string): Promise<AuthAnswer> {
      persistence.set('token', token)
      await state.whenReady()
      return authenticate()
    },
    /** Stores a rotated token that arrived in an answer. */
    keepToken: authentication.keepToken,
    async logout(everywhere = false): Promise<void> {
      await socket.request('LOGOUT', { everywhere }).catch(() => {})
      authentication.forget()
      await authenticate()
    },
  }
}

function httpOf({ origin, persistence, fetch, page_origin }: ConnectionOptions, retry: () => void) {
  return createHttp({
    origin,
    token: () => persistence.get('token'),
    onTokenRefused: (token) => {
      if (persistence.get('token') !== token) return
      persistence.set('token', undefined)
      retry()
    },
    ...(fetch && { fetch }),
    ...(page_origin && { page_origin }),
  })
}

async function open(
  { origin, page_origin }: ConnectionOptions,
  http: Http,
  handlers: SocketHandlers,
) {
  // The library is loaded beside the request, not after it.
  void loadSocketLibrary().catch(() => {})
  const { socket_secret_key } = await http.get('system')
  return openMainSocket({
    origin,
    secretKey: socket_secret_key,
    ...handlers,
    ...(page_origin && { page_origin }),
  })
}

async function authData(
  { entry, tabId, locale }: ConnectionOptions,
  identity: Partial<Sent<'AUTH'>>,
): Promise<Sent<'AUTH'>> {
  return {
    ...entry?.(),
    ...identity,
    device_type: 'web',
    version: SOCKET_VERSION,
    tab_id: await tabId(),
    locale: locale(),
    cipher: true,
  } as Sent<'AUTH'>
}

/** A draining server closes its sockets: the loss that follows is still the draining, until its time is over. */
function problemNow(state: ConnectionState, problem: ConnectionProblem): ConnectionProblem {
  const known = state.get().problem
  const isDraining = known?.type === 'draining' && known.until_ms > Date.now()
  return isDraining && problem.type === 'offline' ? known : problem
}
