import { randomUUID } from 'node:crypto'
import type { PeerSignal } from '@duet/call-engine'
import type { NewPeer, PreparePeer } from '@duet/protocol/contracts/signaling.ts'

/** The messages of a page to the relay, one name for each method of the engine's `SignalPort`. */
export interface RelayMessages {
  join: { session_id: number; session_guid?: string }
  signal: PeerSignal
  prepared: { prepare_id: string }
  peer_connected: { session_id: number; session_guid: string }
  peer_not_connected: { session_id: number; session_guid: string; reason: string }
  peer_state: {
    session_guid: string
    frames_decoded: number
    frames_sent: number
    audio: boolean
    video: boolean
  }
  log: { text: string }
}

export type Told =
  | { what: 'new_peer'; payload: NewPeer }
  | { what: 'peer_signal'; payload: PeerSignal }
  | { what: 'prepare_peer'; payload: PreparePeer }
  | { what: 'lost' | 'back' }

export interface Line {
  what: keyof RelayMessages
  payload: RelayMessages[keyof RelayMessages]
}

interface Member {
  tell(told: Told): Promise<unknown>
  up: boolean
  joined: boolean
  initiator: boolean
  kept: PeerSignal[]
  said: Line[]
}

const TURN_PARAMS = JSON.stringify({ iceServers: [], iceTransportPolicy: 'all' })

const LOOK_EVERY_MS = 50

/** The signaling of `wire.md` section 4 for two pages and one call at a time, in memory; the world outside the engine. */
export class Relay {
  session_id = 1
  first_guid: string = randomUUID()
  running_guid: string = this.first_guid
  #members = new Map<string, Member>()
  #met = false
  #loses: (from: string, signal: PeerSignal) => boolean = () => false
  #held: (() => void)[] | null = null

  /** The former call is over, the two are matched again. */
  nextCall(guid: string = randomUUID()): void {
    this.session_id += 1
    this.first_guid = guid
    this.running_guid = this.first_guid
    this.#met = false
    for (const member of this.#members.values()) Object.assign(member, { joined: false, kept: [] })
  }

  /** Both pages prepare the connection of the next call. Resolves when both have said that it is complete. */
  async prepare(): Promise<{ prepare_id: string; session_guid: string }> {
    const ids = { prepare_id: randomUUID(), session_guid: randomUUID() }
    for (const { tell, initiator } of this.#members.values()) {
      const payload = { ...ids, initiator, turn_params: TURN_PARAMS }
      void tell({ what: 'prepare_peer', payload })
    }
    const isComplete = (name: string) =>
      this.said(name, 'prepared').some(({ prepare_id }) => prepare_id === ids.prepare_id)
    while (![...this.#members.keys()].every(isComplete))
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    return ids
  }

  connect(name: string, initiator: boolean, tell: Member['tell']): void {
    this.#members.set(name, { tell, up: true, joined: false, initiator, kept: [], said: [] })
  }

  /** Signals for which this is true never arrive, like those that were under way when a socket died. */
  loseSignals(loses: (from: string, signal: PeerSignal) => boolean): void {
    this.#loses = loses
  }

  /** From now on signals wait, so that those of both sides cross; `letGo` sends them on their way. */
  hold(): void {
    this.#held = []
  }

  letGo(): void {
    const held = this.#held ?? []
    this.#held = null
    for (const deliver of held) deliver()
  }

  cut(name: string): Promise<unknown> {
    const member = this.#member(name)
    member.up = false
    member.joined = false
    return member.tell({ what: 'lost' })
  }

  restore(name: string): Promise<unknown> {
    this.#member(name).up = true
    return this.#member(name).tell({ what: 'back' })
  }

  said<What extends keyof RelayMessages>(name: string, what: What): RelayMessages[What][] {
    return this.#member(name)
      .said.filter((line) => line.what === what)
      .map((line) => line.payload as RelayMessages[What])
  }

  hear(name: string, line: Line): void {
    const member = this.#member(name)
    if (!member.up) return
    member.said.push(line)
    if (line.what === 'join') this.#join(member, line.payload as RelayMessages['join'])
    if (line.what === 'signal') this.#pass(name, member, line.payload as PeerSignal)
  }

  #join(member: Member, { session_id, session_guid }: RelayMessages['join']) {
    if (session_id !== this.session_id) return
    const other = this.#other(member)
    member.joined = true
    if (!this.#met && !other.joined) return
    const resumes = this.#met && session_guid === this.running_guid
    if (this.#met && !resumes) this.running_guid = randomUUID()
    this.#met = true
    for (const each of resumes ? [member] : [member, other]) this.#meet(each)
  }

  #meet(member: Member) {
    const { session_id, running_guid: session_guid } = this
    const payload = {
      session_id,
      session_guid,
      initiator: member.initiator,
      turn_params: TURN_PARAMS,
    }
    void member.tell({ what: 'new_peer', payload })
    for (const kept of member.kept.splice(0))
      if (kept.session_guid === session_guid) this.#deliver(member, kept)
  }

  #pass(name: string, from: Member, signal: PeerSignal) {
    if (signal.prepare_id !== undefined) return this.#deliver(this.#other(from), signal)
    if (signal.session_guid !== this.running_guid || this.#loses(name, signal)) return
    const to = this.#other(from)
    if (to.joined && this.#met) this.#deliver(to, signal)
    else if (to.kept.length < 100) to.kept.push(signal)
  }

  #deliver(to: Member, payload: PeerSignal) {
    const deliver = () => void to.tell({ what: 'peer_signal', payload })
    if (this.#held) this.#held.push(deliver)
    else deliver()
  }

  #member(name: string): Member {
    const member = this.#members.get(name)
    if (!member) throw new Error(`no page has the name ${name}`)
    return member
  }

  #other(member: Member): Member {
    const other = [...this.#members.values()].find((each) => each !== member)
    if (!other) throw new Error('a call has two sides')
    return other
  }
}
