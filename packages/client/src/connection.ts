import type { Ack, ActionName, Sent } from '@duet/protocol'
import { changeTracker, type ChangesPage } from './change-tracker.ts'
import { createHttp, type Http } from './http.ts'
import { lineState, type Phase, type Snapshot } from './line-state.ts'
import { loadSocketLibrary, openMainSocket, type Lost, type MainSocket } from './main-socket.ts'
import { isSessionInvalid, NoAnswerError } from './call-errors.ts'
import { identityOf, type AuthSuccess, type Credentials } from './identity.ts'
import type { Persistence } from './storage.ts'

export const retry_ms = 3000
export const forced_retry_ms = 500
const socket_version = '2.0.1'

export type { AuthSuccess }
export type { Phase, Snapshot }

export interface ConnectionOptions {
  readonly origin: string
  readonly page_origin?: string
  readonly persistence: Persistence
  readonly tabId: () => Promise<string>
  readonly locale: () => string
  readonly fetch?: typeof fetch
  /** What came with the entry link; sent with every AUTH until somebody registered. */
  readonly entry?: () => { ref_code?: string; signature?: string }
}

export type Connection = ReturnType<typeof createConnection>

/** The connection machine: system → socket → AUTH → ready, and back again after every loss (`wire.md` section 3). */
export function createConnection(options: ConnectionOptions) {
  const state = lineState()
  const { become, tell } = state
  let socket: MainSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0

  const http: Http = createHttp({
    origin: options.origin,
    token: () => options.persistence.get('token'),
    tokenRefused: (token) => {
      if (options.persistence.get('token') !== token) return
      options.persistence.set('token', undefined)
      reconnect(0)
    },
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.page_origin && { page_origin: options.page_origin }),
  })

  const changes = changeTracker({
    fetchSince: (since) => direct('GET_CHANGES', { since }) as Promise<ChangesPage>,
    apply: tell,
    reset: () => state.hears.tell('reset', undefined),
  })

  function direct(action: string, data: unknown): Promise<unknown> {
    return socket ? socket.act(action, data) : Promise.reject(new NoAnswerError(action))
  }

  async function connect(): Promise<void> {
    const mine = ++attempt
    clearTimeout(timer)
    socket?.close()
    socket = undefined
    become({ ...state.get(), phase: state.get().phase === 'offline' ? 'offline' : 'connecting' })
    try {
      void loadSocketLibrary().catch(() => {})
      const system = await http.get('system')
      const opened = await openMainSocket({
        origin: options.origin,
        secret_key: system.socket_secret_key,
        heard: (event, payload) => mine === attempt && heard(event, payload),
        lost: (why) => mine === attempt && lost(why),
        ...(options.page_origin && { page_origin: options.page_origin }),
      })
      if (mine !== attempt) return opened.close()
      socket = opened
      await authenticate()
    } catch {
      if (mine === attempt) lost('network')
    }
  }

  const identity = identityOf(options.persistence, auth)

  async function authenticate(given?: Credentials): Promise<AuthSuccess> {
    return settle(await identity.authenticate(given))
  }

  async function auth(who: Partial<Sent<'AUTH'>>): Promise<AuthSuccess> {
    return (await direct('AUTH', {
      ...options.entry?.(),
      ...who,
      device_type: 'web',
      version: socket_version,
      tab_id: await options.tabId(),
      locale: options.locale(),
      cipher: true,
    })) as AuthSuccess
  }

  function settle(answer: AuthSuccess): AuthSuccess {
    const before = state.get().auth
    if (before && before.user.id === answer.user.id) {
      become({ phase: 'ready', auth: answer })
      if (answer.user.email) void changes.resume(answer.change_id).catch(() => {})
    } else {
      changes.begin(answer.change_id)
      become({ phase: 'ready', auth: answer })
      if (before) state.hears.tell('identity', answer)
    }
    return answer
  }

  function heard(event: string, payload: unknown): void {
    const change_id =
      typeof payload === 'object' && payload && 'change_id' in payload
        ? payload.change_id
        : undefined
    if (event === 'reconnect')
      reconnect(Number((payload as { after_ms?: number }).after_ms ?? forced_retry_ms))
    if (typeof change_id === 'number' && event !== 'auth_success')
      changes.heard(change_id, event, payload)
    else tell(event, payload)
  }

  function lost(why: Lost): void {
    attempt += 1
    socket?.close()
    socket = undefined
    if (why === 'another_tab') return become({ ...state.get(), phase: 'other_tab' })
    become({ ...state.get(), phase: 'offline' })
    // A third of jitter on both sides: a restarted server must not meet everybody at once.
    reconnect(retry_ms * (0.67 + Math.random() * 0.66))
  }

  function reconnect(after_ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), after_ms)
  }

  return {
    http,
    on: state.hears.on,
    getSnapshot: state.get,
    /** The page's own id: the signalling socket is let in by the same one. */
    tabId: options.tabId,
    subscribe: (listener: () => void) => state.hears.on('snapshot', listener),
    start: () => void connect(),
    /** Resolves once AUTH has answered; HTTP calls of a guest need its token. */
    ready: state.whenReady,
    /** Sends an action once the line is ready. 102 means "wait for AUTH and repeat", once. */
    async act<A extends ActionName>(action: A, data: Sent<A>): Promise<Ack<A>> {
      await state.whenReady()
      try {
        return (await direct(action, data)) as Ack<A>
      } catch (error) {
        if (!isSessionInvalid(error)) throw error
        await authenticate()
        return (await direct(action, data)) as Ack<A>
      }
    },
    async login(given: Credentials): Promise<AuthSuccess> {
      await state.whenReady()
      return authenticate(given)
    },
    /** The demo's one-press sign-in and a registration hand over a token. */
    async useToken(token: string): Promise<AuthSuccess> {
      options.persistence.set('token', token)
      await state.whenReady()
      return authenticate()
    },
    /** A rotated token arrived in an answer. */
    keepToken: identity.keep,
    async logout(everywhere = false): Promise<void> {
      await direct('LOGOUT', { everywhere }).catch(() => {})
      identity.forget()
      await authenticate()
    },
    /** What an HTTP call changed in the own record, until the server tells it. */
    patchUser: state.patchUser,
    /** "Use it here", the browser's `online` event: do not wait for the next try. */
    reconnectNow: () => reconnect(forced_retry_ms),
    close(): void {
      attempt += 1
      clearTimeout(timer)
      socket?.close()
      socket = undefined
      become({ ...state.get(), phase: 'closed' })
    },
  }
}
