import { ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestUser } from '@duet/testkit/test-user.ts'
import type { WireSocket } from '@duet/testkit/wire-client.ts'

/** What one's page knows of the search by its events alone, and whether these may come in this order. */
export class SearchingPerson {
  readonly actor: TestUser
  readonly side: 'guy' | 'girl'
  online = true
  pair_id: string | undefined
  session_id: number | undefined
  /** Pairs seen at any time: what a late or a lying page would answer. */
  readonly seen_pairs: string[] = []
  /** The search was left and that was acknowledged: nothing may come of it (MA2). */
  left = false
  offers = 0
  calls = 0
  #wire: WireSocket | undefined
  #read = 0

  constructor(actor: TestUser, side: 'guy' | 'girl') {
    this.actor = actor
    this.side = side
  }

  get id(): number {
    return this.actor.id
  }

  /** Another socket: by the same tab, or by a new one that takes over. */
  async arrive(tab: 'same' | 'another'): Promise<void> {
    if (tab === 'another') this.actor.tab_id = randomUUID()
    await this.actor.connect()
    await this.actor.auth()
    this.actor.signalling = undefined
    this.online = true
  }

  /** The network goes away. */
  vanish(): void {
    this.actor.signalling?.drop()
    this.actor.wire!.drop()
    this.actor.signalling = undefined
    this.online = false
  }

  /** The search was left and the server said yes: what was heard up to that answer belongs to before. */
  leaves(): void {
    this.follow()
    this.left = true
  }

  /** Reads on in what the page heard; fails where a page would not know where it is. */
  follow(): void {
    const { wire } = this.actor
    if (wire !== this.#wire) [this.#wire, this.#read] = [wire, 0]
    for (; this.#read < wire!.heard.length; this.#read += 1) {
      const { event, payload } = wire!.heard[this.#read]!
      this.#apply(event, payload)
    }
  }

  #apply(event: string, payload: Record<string, unknown>): void {
    const says = `${this.actor.name} hears ${event} ${JSON.stringify(payload).slice(0, 120)}`
    ok(event !== 'error_999', says)
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
        `${says} while ${this.pair_id} is open`,
      )
      ok(this.session_id === undefined, `${says} in call ${this.session_id}`)
      ok(!this.left, `${says} after leaving the search`)
      this.pair_id = pair_id
      this.seen_pairs.push(pair_id)
      this.offers += 1
    } else if (event === 'search_pair_closed') {
      if ((payload as { pair_id: string }).pair_id === this.pair_id) this.pair_id = undefined
    } else if (event === 'new_session') {
      const { id } = (payload as { session: { id: number } }).session
      ok(
        this.session_id === undefined || this.session_id === id,
        `${says} in call ${this.session_id}`,
      )
      ok(!this.left, `${says} after leaving the search`)
      if (this.session_id === undefined) this.calls += 1
      this.session_id = id
      this.pair_id = undefined
    } else if (event === 'close_session') {
      if ((payload as { session_id: number }).session_id === this.session_id)
        this.session_id = undefined
      // Who came from search may be put back by the server.
      this.left = false
    }
  }
}
