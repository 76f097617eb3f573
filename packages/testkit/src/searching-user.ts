import { ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestUser } from './test-user.ts'
import type { WireSocket } from './wire-client.ts'

interface ShownPair {
  readonly pair_id: string
  readonly kind: string
  readonly role_in_call?: string
}

interface ShownSession {
  readonly id: number
  readonly kind: string
}

interface AuthAnswer {
  readonly active_session?: { readonly id: number }
  readonly search?: { readonly pair?: ShownPair }
}

/** The search as the user's page knows it by events alone; asserts that the events may come in this order. */
export class SearchingUser {
  readonly user: TestUser
  readonly side: 'guy' | 'girl'
  online = true
  pair_id: string | undefined
  /** The invitation that rings, and whether this user is the caller. */
  ring: { readonly pair_id: string; readonly is_own: boolean } | undefined
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

  #apply(event: string, payload: unknown): void {
    const context = `${this.user.name} gets ${event} ${JSON.stringify(payload).slice(0, 120)}`
    ok(event !== 'error_999', context)
    if (event === 'auth_success') this.#arrives(payload as AuthAnswer)
    if (event === 'search_pair') this.#sees(payload as ShownPair, context)
    if (event === 'search_pair_closed') this.#loses(payload as ShownPair)
    if (event === 'new_session')
      this.#opens((payload as { session: ShownSession }).session, context)
    if (event === 'close_session') {
      if ((payload as { session_id: number }).session_id === this.session_id)
        this.session_id = undefined
      // The server may start a new search for a user who came from one.
      this.left = false
    }
  }

  #arrives({ active_session, search }: AuthAnswer): void {
    this.session_id = active_session?.id
    this.pair_id = this.ring = undefined
    if (search?.pair?.kind === 'direct') this.#rings(search.pair)
    else this.pair_id = search?.pair?.pair_id
    if (this.pair_id) this.seen_pairs.push(this.pair_id)
  }

  #sees(pair: ShownPair, context: string): void {
    if (pair.kind === 'direct') {
      this.#rings(pair)
      ok(!this.ring?.is_own || this.session_id === undefined, `${context} in a call`)
      return
    }
    const { pair_id } = pair
    ok(
      this.pair_id === undefined || this.pair_id === pair_id,
      `${context} while ${this.pair_id} is open`,
    )
    ok(this.session_id === undefined, `${context} in call ${this.session_id}`)
    ok(!this.left, `${context} after leaving the search`)
    this.pair_id = pair_id
    this.seen_pairs.push(pair_id)
    this.offers += 1
  }

  #loses({ pair_id }: ShownPair): void {
    if (pair_id === this.pair_id) this.pair_id = undefined
    if (pair_id === this.ring?.pair_id) this.ring = undefined
  }

  #opens({ id, kind }: ShownSession, context: string): void {
    ok(
      this.session_id === undefined || this.session_id === id,
      `${context} in call ${this.session_id}`,
    )
    ok(!this.left || kind === 'direct', `${context} after leaving the search`)
    if (this.session_id === undefined) this.calls += 1
    this.session_id = id
    this.pair_id = undefined
    if (kind === 'direct') this.ring = undefined
  }

  #rings({ pair_id, role_in_call }: ShownPair): void {
    this.ring = { pair_id, is_own: role_in_call === 'caller' }
    this.seen_pairs.push(pair_id)
  }
}
