import type { CollectorClient, CollectorRequest } from './collector-client.ts'

/** More events than a connection has before the collector answers. */
const QUEUED_MAX = 200

export type DatedRequest = CollectorRequest & { readonly at_ms: number }

/** Holds events until the collector has confirmed their session or connection, and sends them then with their age. */
export class EventQueue {
  #send: (request: DatedRequest) => void
  #held: DatedRequest[] | undefined = []
  #drops = false

  constructor(send: (request: DatedRequest) => void) {
    this.#send = send
  }

  add(request: DatedRequest): void {
    if (this.#drops) return
    if (!this.#held) return this.#send(request)
    if (this.#held.length < QUEUED_MAX) this.#held.push(request)
  }

  /** The collector has confirmed. */
  open(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const request of held) this.#send(request)
  }

  /** A session begins. */
  hold(): void {
    this.#drops = false
    this.#held ??= []
  }

  /** The session has ended: what comes before the next one belongs to none. */
  drop(): void {
    this.#drops = true
    this.#held = undefined
  }
}

interface BatchParts {
  /** Runs a moment later. Returns the function that cancels it. */
  readonly after: (run: () => void) => () => void
  readonly now_ms: () => number
  readonly onFailed: (error: unknown) => void
}

/** Events of connections that are sent together, a moment after the last of them. */
export class EventBatch {
  #client: Pick<CollectorClient, 'send'>
  #parts: BatchParts
  #events: DatedRequest[] = []
  #cancel: (() => void) | undefined

  constructor(client: Pick<CollectorClient, 'send'>, parts: BatchParts) {
    this.#client = client
    this.#parts = parts
  }

  add(event: DatedRequest): void {
    this.#events.push(event)
    this.#cancel?.()
    this.#cancel = this.#parts.after(() => this.#flush())
  }

  stop(): void {
    this.#cancel?.()
    this.#events = []
  }

  #flush(): void {
    const nowMs = this.#parts.now_ms()
    const events = this.#events.map(({ body, at_ms: atMs }) => ({
      ...body,
      timeDelta: nowMs - atMs,
    }))
    this.#events = []
    const single = events.length === 1 ? events[0] : undefined
    const request = single
      ? { call: 'rtc-connection', body: single }
      : { call: 'rtc-connection-batch', body: { events } }
    this.#client.send(request).catch(this.#parts.onFailed)
  }
}
