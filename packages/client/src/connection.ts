import type { Ack, Answer } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { type AuthAnswer, Authentication, type Credentials } from './login/authentication.ts'
import { type AuthOptions, sendAuth } from './login/auth-request.ts'
import { NoAnswerError } from './call-errors.ts'
import { type SolveCaptcha, withCaptcha } from './login/captcha.ts'
import { findChangeId, createChangeTracker } from './change-tracker.ts'
import { type ConnectionProblem, drainingFor } from './connecting/connection-problem.ts'
import { type ConnectionState, createConnectionState } from './connection-state.ts'
import { createHttp } from './http.ts'
import { createAct } from './login/act.ts'
import { createLogins, removeTextsOfOthers } from './login/logins.ts'
import { createReconnectingSocket, type ReconnectingSocket } from './reconnecting-socket.ts'
import { createSocketOpener, type SocketAddress, type SocketOpener } from './socket-opener.ts'
import type { Persistence } from './storage.ts'

export interface ConnectionOptions extends SocketAddress, AuthOptions {
  readonly persistence: Persistence
  readonly fetch?: typeof fetch
  /** Without it, a call that is refused with captcha_required stays refused. */
  readonly solveCaptcha?: SolveCaptcha
}

export type ClientConnection = ReturnType<typeof createConnection>

/**
 * The connection to the server: `GET system`, main socket, AUTH, and the last two again after every loss. Actions wait until
 * AUTH has answered.
 */
export function createConnection(options: ConnectionOptions) {
  const { persistence } = options
  const state = createConnectionState(() => socket.reconnect(0))
  let knownUserId: number | undefined
  const http = createHttp({
    ...options,
    token: () => persistence.get('token'),
    // AUTH on the main socket decides whether the login has ended or another token has replaced the refused token.
    onTokenRefused: () => void (isReady(state) && authenticate().catch(() => {})),
  })
  const opener = createSocketOpener(options, http)
  const changes = createChangeTracker({
    fetchSince: async (since) =>
      (await socket.request('GET_CHANGES', { since })) as Ack<'GET_CHANGES'>,
    apply: state.receive,
    reset: () => state.publish('reset', undefined),
  })
  const socket = createReconnectingSocket({
    open: async (handlers) => {
      authentication.beginSocket()
      return opener.open(handlers)
    },
    authenticate: () => authenticate(),
    onEvent: (event, payload) => receive(event, payload, { state, socket, changes }),
    ...getPhases(state, opener),
  })
  const request = withCaptcha((action, data) => socket.request(action, data), options.solveCaptcha)
  const authentication = new Authentication(persistence, (identity) =>
    sendAuth(options, { request }, identity),
  )

  async function authenticate(given?: Credentials): Promise<AuthAnswer> {
    const answer = await authentication.authenticate(given)
    const isSameUser = knownUserId === answer.user.id
    const isOtherUser = knownUserId !== undefined && !isSameUser
    knownUserId = answer.user.id
    if (!isSameUser) changes.begin(answer.change_id)
    if (answer.user.email) removeTextsOfOthers(persistence, answer.user.id)
    const clockBehindMs = Date.parse(answer.server_time) - Date.now()
    state.set({ phase: 'ready', auth: answer, clock_behind_ms: clockBehindMs })
    if (isOtherUser) state.publish('identity', answer)
    if (isSameUser && answer.user.email) void changes.resume(answer.change_id)
    return answer
  }

  const act = createAct(state, { request }, authenticate)
  return {
    http,
    act,
    ...getObservers(state),
    /** The page's own id. The signaling socket sends the same id. */
    tabId: options.tabId,
    start: () => socket.connect(),
    /** The answer of `GET system`, which every connection fetches. The second caller fetches the answer again. */
    system: (): Promise<Answer<'GET system'>> => opener.system(),
    /**
     * Resolves once AUTH has answered, because HTTP calls of a guest need the token. If there is a limit, rejects after
     * the limit.
     */
    ready: (limitMs?: number) => within(limitMs, state.whenReady()),
    ...createLogins({ state, socket, authentication, authenticate, act, http, persistence }),
    /** After "use it here": does not wait for the next attempt. */
    reconnectNow: () => socket.reconnect(limits.reconnect_forced_ms),
    /** The page slept, or the browser's network came back: connects again at once unless the connection is alive. */
    wake: () => socket.wake(),
    close(): void {
      socket.close()
      state.change({ phase: 'closed' })
    },
  }
}

function getObservers(state: ConnectionState) {
  return {
    on: state.on,
    takeMissedEvents: state.takeMissedEvents,
    getSnapshot: state.get,
    subscribe: (listener: () => void) => state.on('snapshot', listener),
    /** Changes the own record after an HTTP call, until the server's event does. */
    patchUser: state.patchUser,
  }
}

interface ReceivingParts {
  readonly state: ConnectionState
  readonly socket: ReconnectingSocket
  readonly changes: ReturnType<typeof createChangeTracker>
}

function receive(event: string, payload: unknown, { state, socket, changes }: ReceivingParts) {
  if (event === 'reconnect') drain(state, socket, payload as { after_ms?: number })
  const changeId = event === 'auth_success' ? undefined : findChangeId(payload)
  if (changeId === undefined) state.receive(event, payload)
  else changes.receive(changeId, event, payload)
}

function isReady(state: ConnectionState): boolean {
  return state.get().phase === 'ready'
}

/** The phase that follows each outcome of an attempt to connect. */
function getPhases(state: ConnectionState, opener: SocketOpener) {
  return {
    onConnecting: () =>
      state.change({ phase: state.get().phase === 'offline' ? 'offline' : 'connecting' }),
    onLost(problem: ConnectionProblem) {
      opener.forgetKeyUnless(isReady(state))
      state.change({ phase: 'offline', problem: problemNow(state, problem) })
    },
    onStopped(problem: ConnectionProblem) {
      opener.forgetKeyUnless(false)
      state.change({ phase: 'stopped', problem })
    },
    onOtherTab: () => state.change({ phase: 'other_tab' }),
  }
}

/** The server is about to stop and names the time after which the client connects again. */
function drain(
  state: ConnectionState,
  socket: ReconnectingSocket,
  { after_ms }: { after_ms?: number },
): void {
  const afterMs = Number(after_ms ?? limits.reconnect_forced_ms)
  state.change({ problem: drainingFor(afterMs, Date.now()) })
  socket.reconnect(afterMs)
}

/** A draining server closes its sockets: the loss that follows is still the draining, until its time is over. */
function problemNow(state: ConnectionState, problem: ConnectionProblem): ConnectionProblem {
  const known = state.get().problem
  const isDraining = known?.type === 'draining' && known.until_ms > Date.now()
  return isDraining && problem.type === 'offline' ? known : problem
}

async function within(ms: number | undefined, ready: Promise<void>): Promise<void> {
  if (ms === undefined) return ready
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswerError('connect')), ms)
  })
  try {
    await Promise.race([ready, late])
  } finally {
    clearTimeout(timer)
  }
}
