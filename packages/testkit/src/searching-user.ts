import { ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestUser } from './test-user.ts'
import type { WireSocket } from './wire-client.ts'

/** The search as the user's page knows it by events alone; asserts that the events may come in this order. */
export class SearchingUser {
  readonly user: TestUser
  readonly side: 'guy' | 'girl'
  online = true
  pair_id: string | undefined
  session_id: number | undefined
  /** All pairs shown so far: a late or dishonest page may answer them. */
  readonly seen_pairs: string[] = []
  /** The server acknowledged that the search was left: no offer and no call may follow (MA2). */
  left = false
  offers = 0
  calls = 0
  #wire: WireSocket | undefined
  #read = 0

  constructor(user: TestUser, side: 'guy' | 'girl') {
    this.user = user
    this.side = side
  }

  get id(): number {
    return this.user.id
  }

  /** Connects another socket, from the same tab or from a new tab that takes over. */
  async arrive(tab: 'same' | 'another'): Promise<void> {
    if (tab === 'another') this.user.tab_id = randomUUID()
    await this.user.connect()
    await this.user.auth()
    this.user.signaling = undefined
    this.online = true
  }

  /** Both sockets lose their network. */
  vanish(): void {
    this.user.signaling?.drop()
    this.user.wire!.drop()
    this.user.signaling = undefined
    this.online = false
  }

  /** The server acknowledged that the search was left; the events up to that answer belong to the time before. */
  leaves(): void {
    this.follow()
    this.left = true
  }

  /** Applies the events received since the last call; fails where they contradict the state of the page. */
  follow(): void {
    const { wire } = this.user
    if (wire !== this.#wire) [this.#wire, this.#read] = [wire, 0]
    for (; this.#read < wire!.heard.length; this.#read += 1) {
      const { event, payload } = wire!.heard[this.#read]!
      this.#apply(event, payload)
    }
  }

  #apply(event: string, payload: Record<string, unknown>): void {
    const context = `${this.user.name} gets ${event} ${JSON.stringify(payload).slice(0, 120)}`
    ok(event !== 'error_999', context)
    if (event === 'auth_success') {
      const { active_session, search } = payload as {
        active_session?: { id: number }
        search?: { pair?: { pair_id: string } }
      }
      this.session_id = active_session?.id
      this.pair_id = search?.pair?.pair_id
      if (this.pair_id) this.seen_pairs.push(this.pair_id)
    } else if (event === 'search_pair') {
      const { pair_id } = payload as { pair_id: string }
      ok(
        this.pair_id === undefined || this.pair_id === pair_id,
        `${context} while ${this.pair_id} is open`,
      )
      ok(this.session_id === undefined, `${context} in call ${this.session_id}`)
      ok(!this.left, `${context} after leaving the search`)
      this.pair_id = pair_id
      this.seen_pairs.push(pair_id)
      this.offers += 1
    } else if (event === 'search_pair_closed') {
      if ((payload as { pair_id: string }).pair_id === this.pair_id) this.pair_id = undefined
    } else if (event === 'new_session') {
      const { id } = (payload as { session: { id: number } }).session
      ok(
        this.session_id === undefined || this.session_id === id,
        `${context} in call ${this.session_id}`,
      )
      ok(!this.left, `${context} after leaving the search`)
      if (this.session_id === undefined) this.calls += 1
      this.session_id = id
      this.pair_id = undefined
    } else if (event === 'close_session') {
      if ((payload as { session_id: number }).session_id === this.session_id)
        this.session_id = undefined
      // The server may start a new search for a user who came from one.
      this.left = false
    }
  }
}
