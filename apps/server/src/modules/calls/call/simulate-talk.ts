import type { Effect, Happened } from './call-events.ts'
import type { Opening, Side } from './call.ts'
import { receipt } from './receipt.ts'
import { LiveCall, START_MS, simulatedOpening } from './simulate.ts'

export const A_LOT = 10_000_000n

/** For tests: a call acted out in seconds from its opening; both pages report well unless told otherwise. */
export class Talk {
  readonly live: LiveCall
  seconds = 0
  decoded = { guy: 0, girl: 0 }
  sent = { guy: 0, girl: 0 }
  guid = 'guid-0'

  constructor(over: Partial<Opening> = {}, balance = A_LOT) {
    this.live = new LiveCall({ ...simulatedOpening, ...over }, balance)
  }

  get call() {
    return this.live.call
  }

  at(seconds: number): this {
    for (let next = Math.floor(this.seconds) + 1; next <= seconds; next++)
      this.live.round(START_MS + next * 1000)
    this.seconds = seconds
    return this
  }

  does(happened: Happened): Effect[] {
    return this.live.feed(happened, START_MS + this.seconds * 1000)
  }

  start(): this {
    for (const side of ['guy', 'girl'] as const)
      this.does({ kind: 'joined', side, session_guid: this.guid })
    for (const side of ['guy', 'girl'] as const)
      this.does({ kind: 'peer_connected', side, session_guid: this.guid })
    return this
  }

  report(
    side: Side,
    over: { frames?: boolean; video?: boolean; sends?: boolean; session_guid?: string } = {},
  ): Effect[] {
    const { frames = true, video = true, sends = true, session_guid = this.guid } = over
    if (frames) this.decoded[side] += 30
    if (sends) this.sent[side] += 30
    const frames_sent = this.sent[side]
    const counters = {
      frames_decoded: this.decoded[side],
      frames_sent,
      reports_received: frames_sent / 30,
    }
    return this.does({ kind: 'reported', side, session_guid, ...counters, audio: true, video })
  }

  /** Both report every 2 s until that second, from now on. */
  until(seconds: number, over: { guy?: object | null; girl?: object | null } = {}): this {
    while (this.seconds + 2 <= seconds && this.call.status !== 'closed') {
      this.at(this.seconds + 2)
      if (over.guy !== null) this.report('guy', over.guy)
      if (over.girl !== null) this.report('girl', over.girl)
    }
    if (this.call.status !== 'closed') this.at(seconds)
    return this
  }

  leaves(side: Side, how: { break?: boolean; next?: boolean } = {}): Effect[] {
    return this.does({ kind: 'left', side, ...how })
  }

  ask(side: Side): Effect[] {
    return this.does({ kind: 'asked_private', side, available_units: this.live.available })
  }

  answer(side: Side, accept: boolean): Effect[] {
    return this.does({
      kind: 'answered_private',
      side,
      accept,
      available_units: this.live.available,
    })
  }

  told(): [string, number][] {
    const tells = this.live.effects.filter((effect) => effect.kind === 'tell_meter')
    return tells.map(({ reading }) => [
      reading.why ?? reading.phase,
      secondsOf(reading.phase_since),
    ])
  }

  /** Where the seconds went: free, quota, paid, paused. */
  get sums() {
    const { free_seconds, quota_seconds, paid_seconds, paused } = receipt(this.call, 'guy')
    return [
      free_seconds,
      quota_seconds,
      paid_seconds,
      paused.reduce((sum, { seconds }) => sum + seconds, 0),
    ]
  }

  get closedAt() {
    return [this.call.reason, this.call.closed_at && secondsOf(this.call.closed_at)]
  }
}

export const secondsOf = (at: Temporal.Instant) => (at.epochMilliseconds - START_MS) / 1000
export const kinds = (effects: Effect[]) => effects.map(({ kind }) => kind)
export const has = (effects: Effect[], kind: Effect['kind']) => kinds(effects).includes(kind)
export const requeued = (effects: Effect[]) =>
  effects.flatMap((e) => (e.kind === 'requeue' ? [e.side] : []))
