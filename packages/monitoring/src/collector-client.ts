import type { MonitoringEnvironment } from './environment.ts'

export interface CollectorAnswer {
  readonly peer_id?: string
  readonly connection_id?: string
  readonly stats_ms?: number
}

export interface CollectorOptions {
  readonly url: string
  readonly publicKey: string
  readonly userId: string | number
  readonly peerToken?: (() => string | undefined) | undefined
  /** The collector takes nothing more of this session. */
  readonly onRefused: () => void
}

export interface CollectorRequest {
  readonly method?: 'POST' | 'PUT'
  readonly call: string
  readonly body?: object
  /** When it happened. By default: now. */
  readonly at_ms?: number
  /** Repeated for a minute while the network or the collector fails. */
  readonly isRepeated?: boolean
  /** The page is leaving. */
  readonly isLast?: boolean
}

const TIMEOUT_MS = 10_000
const REPEAT_AFTER_MS = 1_000
const REPEAT_WITHIN_MS = 60_000
/** Repeats that wait at once. A collector that is down must not fill the memory of the page. */
const REPEATS_MAX = 20

/** After one of these, nothing more of the session is sent. */
const FINAL_CODES: ReadonlySet<string> = new Set([
  'domain_not_allowed',
  'quota_exceeded',
  'invalid_api_key',
  'invalid_token',
  'missing_token',
  'app_not_recording',
  'session_not_found',
  'participant_not_found',
  'connection_ended',
])

/** The collector refused. `is_retriable`: it may take the same later. */
class CollectorError extends Error {
  readonly is_retriable: boolean

  constructor(message: string, isRetriable: boolean) {
    super(message)
    this.is_retriable = isRetriable
  }
}

/** Sends to the collector while there is a session. Without a session nothing is sent. */
export class CollectorClient {
  #options: CollectorOptions
  #environment: MonitoringEnvironment
  #session_id: string | undefined
  #waiting = new Set<() => void>()

  constructor(options: CollectorOptions, environment: MonitoringEnvironment) {
    this.#options = options
    this.#environment = environment
  }

  get has_session(): boolean {
    return this.#session_id !== undefined
  }

  begin(sessionId: string): void {
    this.#session_id = sessionId
  }

  end(): void {
    this.#session_id = undefined
    for (const cancel of this.#waiting) cancel()
    this.#waiting.clear()
  }

  /** Resolves to undefined, without a request, while there is no session. Rejects when the collector does not take it. */
  async send(request: CollectorRequest): Promise<CollectorAnswer | undefined> {
    const sessionId = this.#session_id
    if (sessionId === undefined) return undefined
    const atMs = request.at_ms ?? this.#environment.clock.now_ms()
    for (let waitMs = REPEAT_AFTER_MS; ; waitMs *= 2) {
      try {
        return await this.#attempt(sessionId, { ...request, at_ms: atMs })
      } catch (error) {
        const isRetriable = !(error instanceof CollectorError) || error.is_retriable
        if (!request.isRepeated || !isRetriable || this.#waiting.size >= REPEATS_MAX) throw error
        if (waitMs > REPEAT_WITHIN_MS)
          throw new Error('request failed after exponential backoff', { cause: error })
        await this.#wait(waitMs)
        if (this.#session_id !== sessionId) return undefined
      }
    }
  }

  async #attempt(
    sessionId: string,
    { method = 'POST', call, body = {}, at_ms: atMs, isLast = false }: CollectorRequest,
  ): Promise<CollectorAnswer> {
    const { url, publicKey, userId, peerToken } = this.#options
    const nowMs = this.#environment.clock.now_ms()
    const token = peerToken?.()
    const age = { timestamp: nowMs, delta: nowMs - atMs! }
    const sent = JSON.stringify({ sessionId, peerId: String(userId), ...age, ...body })
    const response = await this.#environment.fetch!(`${url}${call}`, {
      method,
      mode: 'cors',
      cache: 'no-cache',
      headers: {
        Accept: 'application/json',
        'Content-Type': 'text/plain',
        'Public-Key': publicKey,
        ...(token !== undefined && { 'Peer-Token': token }),
      },
      body: sent,
      ...(isLast ? { keepalive: true } : { signal: AbortSignal.timeout(TIMEOUT_MS) }),
    })
    const answer = (await response.json().catch(() => ({}))) as CollectorAnswer & {
      error_code?: string
    }
    if (response.ok) return answer
    const { error_code: code = '' } = answer
    if (FINAL_CODES.has(code) && this.#session_id === sessionId) this.#options.onRefused()
    throw new CollectorError(
      `${call}: ${response.status} ${code}`,
      response.status > 500 && !FINAL_CODES.has(code),
    )
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done)
        cancel()
        resolve()
      }
      const cancel = this.#environment.clock.after(delayMs, done)
      this.#waiting.add(done)
    })
  }
}
