import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ClientConnection,
  createConnection,
  memoryStore,
  NoAnswerError,
  persistence,
  RefusedError,
} from '@duet/client'

const WAIT_REFUSALS: ReadonlySet<string> = new Set(['draining', 'too_many'])

/** The outcomes of a client's requests while its server is replaced. */
export interface RollingOutcomes {
  /** Refusals that ask the client to wait. */
  asked_to_wait: number
  /** Connection attempts while no server was listening. */
  no_server: number
  /** Actions whose connection closed before the answer. */
  unanswered: number
  /** Everything else, as text. */
  failures: string[]
}

/** One user with the product's own client, who adds and removes favourites and sends HTTP requests without pause. */
export class RollingClient {
  readonly outcomes: RollingOutcomes = {
    asked_to_wait: 0,
    no_server: 0,
    unanswered: 0,
    failures: [],
  }
  /** By person: whether the last acknowledged change added the favourite. */
  readonly favourites = new Map<number, boolean>()
  readonly user_ids = new Set<number>()
  acknowledged = 0
  answered = 0
  readonly #connection: ClientConnection
  #isStopping = false
  #finished: Promise<unknown> = Promise.resolve()

  constructor(origin: string, token: string) {
    const persisted = persistence(memoryStore())
    persisted.set('token', token)
    const tabId = crypto.randomUUID()
    this.#connection = createConnection({
      origin,
      page_origin: origin,
      persistence: persisted,
      tabId: async () => tabId,
      locale: () => 'en',
      fetch: (...request) => this.#fetch(...request),
    })
    this.#connection.subscribe(() => {
      const { phase, auth } = this.#connection.getSnapshot()
      if (auth) this.user_ids.add(auth.user.id)
      if (phase === 'other_tab') this.outcomes.failures.push('another tab took over')
    })
  }

  start(people: readonly number[], random: () => number): void {
    this.#connection.start()
    this.#finished = Promise.all([
      this.#changeFavourites(people, random),
      this.#sendRequests(people, random),
    ])
  }

  /** Finishes the running requests. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#finished
    this.#connection.close()
  }

  close(): void {
    this.#isStopping = true
    this.#connection.close()
  }

  /** One change after another. A change without an answer is not counted, because its result is unknown. */
  async #changeFavourites(people: readonly number[], random: () => number): Promise<void> {
    while (!this.#isStopping) {
      const user_id = people[Math.floor(random() * people.length)]!
      const wanted = !(this.favourites.get(user_id) ?? false)
      const isAcknowledged = await this.#attempt(() =>
        this.#connection.act(wanted ? 'ADD_FAVOURITE' : 'REMOVE_FAVOURITE', { user_id }),
      )
      if (isAcknowledged) {
        this.favourites.set(user_id, wanted)
        this.acknowledged += 1
      } else this.favourites.delete(user_id)
      // The rate limit of favourites is thirty per minute with a burst of thirty.
      await sleep(isAcknowledged ? 150 : 50)
    }
  }

  async #sendRequests(people: readonly number[], random: () => number): Promise<void> {
    await this.#connection.ready()
    while (!this.#isStopping) {
      const check_user_id = people[Math.floor(random() * people.length)]!
      const isAnswered = await this.#attempt(() =>
        this.#connection.http.get('check_favourite', { check_user_id }),
      )
      if (isAnswered) this.answered += 1
      await sleep(30)
    }
  }

  async #attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (error instanceof RefusedError && WAIT_REFUSALS.has(error.refusal))
        this.outcomes.asked_to_wait += 1
      else if (error instanceof NoAnswerError) this.outcomes.unanswered += 1
      else this.outcomes.failures.push(`${String(error)} ${JSON.stringify(error)}`)
      return false
    }
  }

  /** A refused connection means that no server is listening. A connection that closes after that is a failed request. */
  async #fetch(...request: Parameters<typeof fetch>): Promise<Response> {
    try {
      return await fetch(...request)
    } catch (error) {
      const cause = ((error as Error).cause ?? error) as { syscall?: string; message: string }
      if (cause.syscall === 'connect') this.outcomes.no_server += 1
      else this.outcomes.failures.push(`HTTP ${cause.message}`)
      throw error
    }
  }
}
