import { randomUUID } from 'node:crypto'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SearcherRow } from '../database/searcher-rows.ts'
import { act, openSocket, type WireAnswer, type WireSocket } from '../wire-client.ts'

/** An idle page asks again after this many times of thinking: an event may have been lost with another socket. */
const IDLE_THINKS = 2.5
const RETRY_MS = 200
const HOP_PERCENT = 2
/** Of the hops, those that leave the old socket open for a while, as a copied token does. */
const DOUBLE_PERCENT = 50
const REJECT_PERCENT = 15

/** One of several server processes that share a database. */
export interface ServerAddress {
  readonly origin: string
  readonly key: Buffer
}

/**
 * A page that searches, answers each offer and leaves each call without pause, and now and then goes to another server
 * process, sometimes while its former socket is still open.
 */
export class ProcessSearcher {
  readonly row: SearcherRow
  readonly side: Role
  /** Refusals by code, and answers that did not come. */
  readonly refusals = new Map<string, number>()
  server_index: number
  hops = 0
  #pair_id: string | undefined
  #session_id: number | undefined
  #tab_id = randomUUID()
  #over = false
  #wires: WireSocket[] = []
  #done = Promise.resolve()
  readonly #servers: readonly ServerAddress[]
  readonly #random: () => number
  readonly #think_ms: number

  constructor(of: {
    row: SearcherRow
    side: Role
    servers: readonly ServerAddress[]
    server_index: number
    random: () => number
    /** A page waits up to this long before it answers an offer, leaves a call or searches again. */
    think_ms: number
  }) {
    this.row = of.row
    this.side = of.side
    this.#servers = of.servers
    this.server_index = of.server_index
    this.#random = of.random
    this.#think_ms = of.think_ms
  }

  start(): void {
    this.#done = this.#live()
  }

  async close(): Promise<void> {
    this.#over = true
    for (const wire of this.#wires) wire.close()
    await this.#done
  }

  async #live(): Promise<void> {
    await sleep(this.#random() * this.#think_ms)
    while (!this.#over) {
      try {
        const wire = await this.#enter()
        await this.#stay(wire)
      } catch (error) {
        this.#count(String(error).slice(0, 60))
      }
      if (!this.#over) await sleep(RETRY_MS)
    }
  }

  async #enter(): Promise<WireSocket> {
    const { origin, key } = this.#servers[this.server_index]!
    const wire = await openSocket(origin, '/socket.io')
    const former = this.#wires.splice(0, this.#wires.length, wire)
    if (former.length > 0) setTimeout(() => former.forEach((one) => one.close()), this.#think_ms)
    if (this.#over) wire.close()
    this.#pair_id = this.#session_id = undefined
    this.#follow(wire, key)
    const said = { device_type: 'web', version: '2.0.1', tab_id: this.#tab_id }
    const answer = await act(wire, key, 'AUTH', { ...said, token: this.row.token })
    const { active_session } = (this.#granted(answer) ?? {}) as { active_session?: { id: number } }
    if (active_session) this.#leaves(wire, key, active_session.id)
    return wire
  }

  /** Until this page goes to another process. */
  async #stay(wire: WireSocket): Promise<void> {
    const { key } = this.#servers[this.server_index]!
    while (!this.#over && wire.socket.connected) {
      if (this.#pair_id === undefined && this.#session_id === undefined)
        this.#granted(await act(wire, key, 'MATCH_AWAIT', {}))
      await Promise.race([sleep(IDLE_THINKS * this.#think_ms), wire.closed])
      if (this.#random() * 100 < HOP_PERCENT) return this.#hop(wire)
    }
  }

  #hop(wire: WireSocket): void {
    this.hops += 1
    this.server_index = Math.floor(this.#random() * this.#servers.length)
    if (this.#random() < 0.5) this.#tab_id = randomUUID()
    if (this.#random() * 100 >= DOUBLE_PERCENT) wire.drop()
  }

  #follow(wire: WireSocket, key: Buffer): void {
    wire.onHeard(() => {
      for (const { event, payload } of (wire.heard as WireSocket['heard'][number][]).splice(0))
        this.#hears(wire, key, event, payload)
    })
  }

  #hears(wire: WireSocket, key: Buffer, event: string, payload: Record<string, unknown>): void {
    if (event === 'search_pair') {
      this.#pair_id = payload.pair_id as string
      this.#later(
        wire,
        key,
        () => (this.#random() * 100 < REJECT_PERCENT ? 'SEARCH_PAIR_REJECT' : 'SEARCH_PAIR_ACCEPT'),
        { pair_id: payload.pair_id },
      )
    }
    if (event === 'search_pair_closed' && payload.pair_id === this.#pair_id)
      this.#pair_id = undefined
    if (event === 'new_session') this.#leaves(wire, key, (payload.session as { id: number }).id)
    if (event !== 'close_session' || payload.session_id !== this.#session_id) return
    this.#session_id = undefined
    this.#later(wire, key, () => 'MATCH_AWAIT', {})
  }

  #leaves(wire: WireSocket, key: Buffer, session_id: number): void {
    this.#pair_id = undefined
    this.#session_id = session_id
    this.#later(wire, key, () => 'BREAK_SESSION', { session_id })
  }

  #later(wire: WireSocket, key: Buffer, action: () => string, data: object): void {
    void sleep(this.#random() * this.#think_ms)
      .then(async () => {
        if (!wire.socket.connected || this.#over) return
        const name = action()
        const answer = await act(wire, key, name, data)
        this.#granted(answer)
        // A call that cannot be left any more is over.
        if (name === 'BREAK_SESSION') this.#session_id = undefined
      })
      .catch((error: unknown) => this.#count(String(error).slice(0, 60)))
  }

  #granted(answer: WireAnswer): unknown {
    if ('data' in answer) return answer.data
    this.#count(answer.error.name)
    return undefined
  }

  #count(what: string): void {
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1)
  }
}
