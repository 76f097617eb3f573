import type { Receipt } from '@duet/protocol/contracts/calls.ts'
import { refusals } from '@duet/protocol/kernel/refusals.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { act, openSocket, type WireAnswer, type WireSocket } from '../wire-client.ts'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { CallWitness } from './call-witness.ts'

const REPORT_MS = 200
const RETRY_MS = 40
/**
 * No page is a party to this call, so a signal for it is refused. Signals keep their order: after the
 * refusal all earlier signals were received.
 */
const FOREIGN_CALL_ID = 2_000_000_000
/** A foreign call, and any call for a user who is banned by then. */
const REFUSED: ReadonlySet<string | undefined> = new Set([
  `error_${refusals.not_found.code}`,
  `error_${refusals.banned.code}`,
])

interface RunningCall {
  readonly id: number
  readonly user_interlocutor: { readonly id: number }
}

/**
 * A page in calls, without a browser. It searches, accepts, joins and reports frames. After every loss it
 * returns with its guid. It also reports everything to the witness.
 */
export class CallClient {
  readonly side: Role
  readonly receipts: Receipt[] = []
  readonly sessions = new Set<number>()
  user_id = 0
  /** Her camera, his decoded frames: false reports nothing good. */
  sees = true
  /** Nothing is reported at all. */
  silent = false
  /** Follows what the main socket of this page receives. */
  hears: (event: string) => void = () => {}
  #wants: 'call' | 'nothing' = 'call'
  #leaving: number | undefined
  #session_id: number | undefined
  #partner_id = 0
  #guid: string | undefined
  #frames = 0
  #main: WireSocket | undefined
  #signal: WireSocket | undefined
  #over = false
  #done = Promise.resolve()
  readonly #tab_id = randomUUID()
  readonly #origin: string
  readonly #token: string
  readonly #key: Buffer
  readonly #witness: CallWitness

  constructor(of: {
    origin: string
    key: Buffer
    token: string
    side: Role
    witness: CallWitness
  }) {
    this.#origin = of.origin
    this.#key = of.key
    this.#token = of.token
    this.#witness = of.witness
    this.side = of.side
  }

  /** The user id of the partner while frames flow between the two. */
  get partner_id(): number | undefined {
    return this.#frames > 0 && this.#guid !== undefined ? this.#partner_id : undefined
  }

  get isIdle(): boolean {
    return this.#session_id === undefined
  }

  start(): void {
    this.#done = this.#live()
  }

  /** Leaves the call, and repeats that until the server has confirmed it. */
  hangUp(): void {
    this.#leaving = this.#session_id
  }

  /** Complains about the running call as one with a minor, and answers the number of the complaint. */
  async complain(): Promise<number> {
    const about = { user_id: this.#partner_id, session_id: this.#session_id }
    const answer = await this.#act('TO_COMPLAIN', { reason: 'child', comment: '', ...about })
    return (granted(answer) as { complaint_id: number }).complaint_id
  }

  /** No further calls. */
  retire(): void {
    this.#wants = 'nothing'
    this.hangUp()
  }

  /** The network goes away for a moment. */
  drop(): void {
    this.#main?.drop()
    this.#signal?.drop()
  }

  async close(): Promise<void> {
    this.#over = true
    this.#main?.close()
    this.#signal?.close()
    await this.#done
  }

  async #live(): Promise<void> {
    while (!this.#over) {
      try {
        await this.#connect()
        while (!this.#over && this.#isUp()) {
          await this.#step()
          await sleep(REPORT_MS)
        }
      } catch {
        // The server is down, or ends before its answer: the page tries again.
      }
      this.#main?.close()
      this.#signal?.close()
      if (!this.#over) await sleep(RETRY_MS)
    }
  }

  #isUp(): boolean {
    return this.#main?.socket.connected === true && this.#signal?.socket.connected === true
  }

  async #connect(): Promise<void> {
    const main = await openSocket(this.#origin, '/socket.io')
    this.#main = main
    follow(main, (event, payload) => this.#heard(event, payload))
    const said = { device_type: 'web', version: '2.0.1', tab_id: this.#tab_id, token: this.#token }
    const { user, active_session } = granted(await this.#act('AUTH', said)) as {
      user: { id: number; ortc_token: string }
      active_session?: RunningCall
    }
    this.user_id = user.id
    const signal = await openSocket(this.#origin, '/signal')
    this.#signal = signal
    const isIn = Promise.withResolvers<void>()
    follow(signal, (event, payload) => {
      if (event === 'auth_success') isIn.resolve()
      if (event === 'new_peer')
        this.#connected(payload as { session_id: number; session_guid: string })
    })
    signal.emit('AUTH', { ortc_token: user.ortc_token, tab_id: this.#tab_id })
    await Promise.race([
      isIn.promise,
      signal.closed.then(() => Promise.reject(new Error('no /signal'))),
    ])
    if (active_session) this.#enter(active_session)
    else this.#session_id = this.#guid = undefined
  }

  /** The actions of a page between two reports. */
  async #step(): Promise<void> {
    if (this.#leaving !== undefined) {
      // A page reports once more before it leaves, so that the last seconds are proved by its side.
      if (this.#leaving === this.#session_id && this.#guid !== undefined && !this.silent)
        await this.#report(this.#leaving, this.#guid)
      this.#witness.leaves(this, this.#leaving)
      const answer = await this.#act('BREAK_SESSION', { session_id: this.#leaving })
      if ('data' in answer) this.receipts.push(answer.data as Receipt)
      this.#leaving = undefined
    } else if (this.#session_id === undefined) {
      if (this.#wants === 'call') await this.#act('MATCH_AWAIT', {})
      else await this.#act('OUT_FROM_SEARCH', {})
    } else if (this.#guid !== undefined && !this.silent)
      await this.#report(this.#session_id, this.#guid)
  }

  async #report(session_id: number, session_guid: string): Promise<void> {
    if (this.sees) this.#frames += 10
    const counts = {
      frames_decoded: this.#frames,
      frames_sent: this.#frames,
      reports_received: this.#frames,
    }
    const video = this.side === 'guy' || this.sees
    const heard = this.#witness.says(this, session_id, this.sees)
    this.#signal!.emit('PEER_STATE', { session_id, session_guid, ...counts, audio: true, video })
    await this.#untilReceived()
    heard()
  }

  /** Signals of a page are received in order: when this signal is refused, all earlier signals were received. */
  async #untilReceived(): Promise<void> {
    const signal = this.#signal!
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = signal.onHeard(() => REFUSED.has(signal.heard.at(-1)?.event) && resolve())
    signal.emit('JOIN_SESSION', { session_id: FOREIGN_CALL_ID })
    await Promise.race([promise, signal.closed])
    stop()
  }

  #enter({ id: session_id, user_interlocutor }: RunningCall): void {
    if (this.#session_id !== session_id) this.#guid = undefined
    this.#session_id = session_id
    this.#partner_id = user_interlocutor.id
    this.sessions.add(session_id)
    this.#signal?.emit('JOIN_SESSION', {
      session_id,
      ...(this.#guid && { session_guid: this.#guid }),
    })
  }

  /** Media is connected as soon as there is a peer: its speed is not part of this proof. */
  #connected({ session_id, session_guid }: { session_id: number; session_guid: string }): void {
    if (session_guid !== this.#guid) this.#frames = 0
    this.#guid = session_guid
    this.#witness.says(this, session_id, true)
    this.#signal?.emit('PEER_CONNECTED', { session_id, session_guid })
  }

  #heard(event: string, payload: Record<string, unknown>): void {
    this.hears(event)
    if (event === 'search_pair')
      void this.#act('SEARCH_PAIR_ACCEPT', { pair_id: payload.pair_id }).catch(() => {})
    if (event === 'new_session') this.#enter(payload.session as RunningCall)
    if (event !== 'close_session') return
    this.receipts.push(payload as unknown as Receipt)
    if (payload.session_id === this.#session_id) this.#session_id = this.#guid = undefined
  }

  #act(action: string, data: object): Promise<WireAnswer> {
    return act(this.#main!, this.#key, action, data)
  }
}

function follow(
  wire: WireSocket,
  hear: (event: string, payload: Record<string, unknown>) => void,
): void {
  let read = 0
  const catchUp = () => {
    for (; read < wire.heard.length; read += 1)
      hear(wire.heard[read]!.event, wire.heard[read]!.payload)
  }
  wire.onHeard(catchUp)
  catchUp()
}

function granted(answer: WireAnswer): unknown {
  if ('error' in answer) throw new Error(`refused: ${answer.error.code}`)
  return answer.data
}
