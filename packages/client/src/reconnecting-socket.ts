import { limits } from '@duet/protocol/kernel/limits.ts'
import { NoAnswerError } from './call-errors.ts'
import { type ConnectionProblem, OFFLINE, toProblem } from './connecting/connection-problem.ts'
import type { MainSocket, SocketHandlers, SocketLoss } from './main-socket.ts'
import { retryDelayMs } from './connecting/retry-delay.ts'

/** The server's time between two pings. After a sleep the page trusts no connection that was silent for longer. */
const SILENCE_MAX_MS = limits.ping_seconds * 1000 + 1500

export interface ReconnectingSocketOptions {
  /** Opens a new socket. Its handlers are silent as soon as another attempt has begun. */
  readonly open: (handlers: SocketHandlers) => Promise<MainSocket>
  /** Called when the socket is open. A rejection ends the attempt. */
  readonly authenticate: () => Promise<unknown>
  readonly onEvent: (event: string, payload: unknown) => void
  readonly onConnecting: () => void
  /** The attempt failed or the socket was lost. The next attempt has begun. */
  readonly onLost: (problem: ConnectionProblem) => void
  /**
   * The server refused the attempt and would refuse the same attempt again. The next attempt begins with `reconnect`.
   */
  readonly onStopped: (problem: ConnectionProblem) => void
  /** Another tab took over the connection. The next attempt begins with `reconnect`. */
  readonly onOtherTab: () => void
}

export interface ReconnectingSocket {
  connect(): void
  /** Plans the next attempt after this time, instead of an attempt that was planned before. */
  reconnect(afterMs: number): void
  /** The page slept or the network came back: connects again at once unless the connection is alive, or the server refused it. */
  wake(): void
  /** Resolves with the acknowledgement's data; rejects with RefusedError or NoAnswerError. */
  request(action: string, data: unknown): Promise<unknown>
  close(): void
}

/** Keeps one main socket open. The next attempt follows a failed attempt and a lost socket. */
export function createReconnectingSocket(options: ReconnectingSocketOptions): ReconnectingSocket {
  return new SocketKeeper(options)
}

class SocketKeeper implements ReconnectingSocket {
  readonly #options: ReconnectingSocketOptions
  #socket: MainSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #failures = 0
  /** A waking page starts no attempt: an attempt is running, or the user decides. */
  #isHeld = true

  constructor(options: ReconnectingSocketOptions) {
    this.#options = options
  }

  connect(): void {
    void this.#connect()
  }

  reconnect(afterMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#connect(), afterMs)
  }

  wake(): void {
    if (this.#isHeld) return
    const isAlive = this.#socket && Date.now() - this.#socket.receivedAtMs() <= SILENCE_MAX_MS
    if (isAlive) return
    this.#isHeld = true
    this.#failures = 0
    this.reconnect(limits.reconnect_forced_ms)
  }

  request(action: string, data: unknown): Promise<unknown> {
    return this.#socket
      ? this.#socket.request(action, data)
      : Promise.reject(new NoAnswerError(action))
  }

  close(): void {
    this.#isHeld = true
    this.#drop()
  }

  async #connect(): Promise<void> {
    this.#drop()
    this.#isHeld = true
    const own = this.#attempt
    const isCurrent = () => own === this.#attempt
    this.#options.onConnecting()
    try {
      const opened = await this.#options.open({
        onEvent: (event, payload) => isCurrent() && this.#options.onEvent(event, payload),
        onLoss: (loss) => isCurrent() && this.#onLoss(loss),
      })
      if (!isCurrent()) return opened.close()
      this.#socket = opened
      await this.#options.authenticate()
      if (!isCurrent()) return
      this.#isHeld = false
      this.#failures = 0
    } catch (error) {
      if (isCurrent()) this.#lose(toProblem(error, Date.now()))
    }
  }

  #onLoss(loss: SocketLoss): void {
    if (loss === 'network') return this.#lose(OFFLINE)
    this.#drop()
    this.#isHeld = true
    this.#options.onOtherTab()
  }

  #lose(problem: ConnectionProblem): void {
    this.#drop()
    // A page that wakes may have a network again, but that ends neither a refusal nor a wait that the server asked for.
    this.#isHeld = problem.type !== 'offline'
    this.#failures += 1
    const delayMs = retryDelayMs(problem, this.#failures, Date.now(), Math.random())
    if (delayMs === undefined) return this.#options.onStopped(problem)
    this.#options.onLost(problem)
    this.reconnect(delayMs)
  }

  #drop(): void {
    this.#attempt += 1
    clearTimeout(this.#timer)
    this.#socket?.close()
    this.#socket = undefined
  }
}
