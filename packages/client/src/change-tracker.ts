import type { Ack } from '@duet/protocol'

const RETRY_MS = 3000

type ChangesPage = Ack<'GET_CHANGES'>

export interface ChangeTrackerOptions {
  readonly fetchSince: (changeId: number) => Promise<ChangesPage>
  readonly apply: (event: string, payload: unknown) => void
  /** The client is too far behind to catch up: everything must be fetched again. */
  readonly reset: () => void
  /** Runs the work later: how a failed fetch is repeated. Default: after three seconds. */
  readonly later?: (work: () => void) => void
}

/** The place of a durable event in the reader's change log. A transient event has no place. */
export function findChangeId(payload: unknown): number | undefined {
  const hasId = typeof payload === 'object' && payload !== null && 'change_id' in payload
  return hasId && typeof payload.change_id === 'number' ? payload.change_id : undefined
}

/** Applies each change once and in order, even if the connection loses, repeats or delays changes. */
export function createChangeTracker(options: ChangeTrackerOptions): ChangeTracker {
  return new ChangeTracker(options)
}

class ChangeTracker {
  readonly #options: ChangeTrackerOptions
  #last = 0
  /** The newest change known to exist: a page that was read before it was committed is not the end. */
  #newest = 0
  #fetching: Promise<void> | undefined
  /** Grows with each new log. A page of the former log must not be applied to the new log. */
  #generation = 0

  constructor(options: ChangeTrackerOptions) {
    this.#options = options
  }

  /** The id of the last change that was applied. */
  get last(): number {
    return this.#last
  }

  /** The state was fetched at this head, so the state contains the changes before the head. */
  begin(head: number): void {
    this.#generation += 1
    this.#fetching = undefined
    this.#last = head
    this.#newest = head
  }

  /** After a reconnect: fetches everything between the last applied change and the head. */
  async resume(head: number): Promise<void> {
    if (head < this.#last) {
      // The server lost changes that this client has, after a restored backup. The server's numbers hold.
      this.begin(head)
      this.#options.reset()
      return
    }
    this.#newest = Math.max(this.#newest, head)
    if (this.#last < this.#newest) await this.#catchUpOrRetry()
  }

  /** A change arrived as an event. The tracker fetches the changes before it that are missing. */
  receive(changeId: number, event: string, payload: unknown): void {
    this.#newest = Math.max(this.#newest, changeId)
    if (changeId > this.#last + 1 || this.#fetching) void this.#catchUpOrRetry()
    else this.#apply(changeId, event, payload)
  }

  catchUp(): Promise<void> {
    if (this.#fetching) return this.#fetching
    const own = this.#generation
    this.#fetching = this.#fetchAll().finally(() => {
      if (own === this.#generation) this.#fetching = undefined
    })
    return this.#fetching
  }

  async #fetchAll(): Promise<void> {
    const own = this.#generation
    for (;;) {
      const since = this.#last
      const page = await this.#options.fetchSince(since)
      if (own !== this.#generation) return
      if (page.reset) return this.#reset(page.changes.at(-1)?.change_id ?? since)
      for (const change of page.changes) this.#apply(change.change_id, change.event, change.payload)
      const hasMissed = this.#last < this.#newest
      if (!page.next && !hasMissed) return
      // The server announced a change that it does not return: asking again at once would not end.
      if (this.#last === since)
        throw new Error(`Change ${since + 1} was announced and is not returned`)
    }
  }

  /** Catches up, and again later when the fetch fails, until it succeeds or another log begins. */
  async #catchUpOrRetry(): Promise<void> {
    const own = this.#generation
    const { later = (work) => void setTimeout(work, RETRY_MS) } = this.#options
    try {
      await this.catchUp()
    } catch {
      later(() => {
        const isMissing = this.#last < this.#newest
        if (own === this.#generation && isMissing) void this.#catchUpOrRetry()
      })
    }
  }

  /** The state that is fetched again after the reset contains every change known by now. */
  #reset(head: number): void {
    this.#last = Math.max(head, this.#newest)
    this.#newest = this.#last
    this.#options.reset()
  }

  #apply(changeId: number, event: string, payload: unknown): void {
    if (changeId <= this.#last) return
    this.#last = changeId
    this.#newest = Math.max(this.#newest, changeId)
    this.#options.apply(event, payload)
  }
}
