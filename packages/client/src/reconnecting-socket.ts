import { NoAnswerError } from './call-errors.ts'
import { type ConnectionProblem, OFFLINE, problemOf } from './connection-problem.ts'
import type { MainSocket, SocketHandlers, SocketLoss } from './main-socket.ts'

export const RETRY_MS = 3000
export const FORCED_RETRY_MS = 500

export interface ReconnectingSocketOptions {
  /** Opens a new socket. Its handlers are silent as soon as another attempt has begun. */
  readonly open: (handlers: SocketHandlers) => Promise<MainSocket>
  /** Called with the socket in place; a rejection ends the attempt. */
  readonly authenticate: () => Promise<unknown>
  readonly onEvent: (event: string, payload: unknown) => void
  readonly onConnecting: () => void
  /** The attempt failed or the socket was lost; the next attempt is under way. */
  readonly onLost: (problem: ConnectionProblem) => void
  /** Another tab took the connection over; there is no next attempt before `reconnect`. */
  readonly onOtherTab: () => void
}

export interface ReconnectingSocket {
  connect(): void
  /** The next attempt, after this time at the latest known wish. */
  reconnect(afterMs: number): void
  /** Resolves with the acknowledgement's data; rejects with RefusedError or NoAnswerError. */
  request(action: string, data: unknown): Promise<unknown>
  close(): void
}

/** Keeps one main socket open: an attempt that fails and a socket that is lost are followed by the next attempt. */
export function createReconnectingSocket(options: ReconnectingSocketOptions): ReconnectingSocket {
  let socket: MainSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0

  function drop(): void {
    attempt += 1
    clearTimeout(timer)
    socket?.close()
    socket = undefined
  }

  function reconnect(afterMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), afterMs)
  }

  function lose(problem: ConnectionProblem): void {
    drop()
    options.onLost(problem)
    reconnect(withJitter(RETRY_MS))
  }

  function onLoss(loss: SocketLoss): void {
    if (loss === 'network') return lose(OFFLINE)
    drop()
    options.onOtherTab()
  }

  async function connect(): Promise<void> {
    drop()
    const own = attempt
    const isCurrent = () => own === attempt
    options.onConnecting()
    try {
      const opened = await options.open({
        onEvent: (event, payload) => isCurrent() && options.onEvent(event, payload),
        onLoss: (loss) => isCurrent() && onLoss(loss),
      })
      if (!isCurrent()) return opened.close()
      socket = opened
      await options.authenticate()
    } catch (error) {
      if (isCurrent()) lose(problemOf(error, Date.now()))
    }
  }

  return {
    connect: () => void connect(),
    reconnect,
    request: (action, data) =>
      socket ? socket.request(action, data) : Promise.reject(new NoAnswerError(action)),
    close: drop,
  }
}

/** A third of jitter on both sides: after a restart of the server not all clients come back at the same time. */
function withJitter(ms: number): number {
  return ms * (0.67 + Math.random() * 0.66)
}
