import type { CallCommand, CallEvent } from '@duet/server/modules/calls/rules/call-events.ts'
import type { CallOpening, Side } from '@duet/server/modules/calls/rules/call.ts'
import { receipt } from '@duet/server/modules/calls/rules/receipt.ts'
import { SimulatedCall, START_MS, simulatedOpening } from './simulated-call.ts'

export const A_LOT = 10_000_000n

/** For tests: a call in seconds from its opening; both pages report good frames unless a test says otherwise. */
export class ScriptedCall {
  readonly simulated: SimulatedCall
  seconds = 0
  decoded = { guy: 0, girl: 0 }
  sent = { guy: 0, girl: 0 }
  guid = 'guid-0'

  constructor(over: Partial<CallOpening> = {}, balance = A_LOT) {
    this.simulated = new SimulatedCall({ ...simulatedOpening, ...over }, balance)
  }

  get call() {
    return this.simulated.call
  }

  at(seconds: number): this {
    for (let next = Math.floor(this.seconds) + 1; next <= seconds; next++)
      this.simulated.tick(START_MS + next * 1000)
    this.seconds = seconds
    return this
  }

  does(event: CallEvent): CallCommand[] {
    return this.simulated.feed(event, START_MS + this.seconds * 1000)
  }

  start(): this {
    for (const side of ['guy', 'girl'] as const)
      this.does({ type: 'joined', side, session_guid: this.guid })
    for (const side of ['guy', 'girl'] as const)
      this.does({ type: 'peer_connected', side, session_guid: this.guid })
    return this
  }

  report(
    side: Side,
    over: { frames?: boolean; video?: boolean; sends?: boolean; session_guid?: string } = {},
  ): CallCommand[] {
    const { frames = true, video = true, sends = true, session_guid = this.guid } = over
    if (frames) this.decoded[side] += 30
    if (sends) this.sent[side] += 30
    const frames_sent = this.sent[side]
    const counters = {
      frames_decoded: this.decoded[side],
      frames_sent,
      reports_received: frames_sent / 30,
    }
    return this.does({ type: 'reported', side, session_guid, ...counters, audio: true, video })
  }

  /** Both report every 2 s from now until that second. */
  until(seconds: number, over: { guy?: object | null; girl?: object | null } = {}): this {
    while (this.seconds + 2 <= seconds && this.call.status !== 'closed') {
      this.at(this.seconds + 2)
      if (over.guy !== null) this.report('guy', over.guy)
      if (over.girl !== null) this.report('girl', over.girl)
    }
    if (this.call.status !== 'closed') this.at(seconds)
    return this
  }

  leaves(side: Side, how: { break?: boolean; next?: boolean } = {}): CallCommand[] {
    return this.does({ type: 'left', side, ...how })
  }

  /** The page of this side reports once more before it leaves, as every page does. */
  hangsUp(side: Side, how: { break?: boolean; next?: boolean } = {}): CallCommand[] {
    return [...this.report(side), ...this.leaves(side, how)]
  }

  ask(side: Side): CallCommand[] {
    return this.does({ type: 'private_requested', side, available_units: this.simulated.available })
  }

  answer(side: Side, accept: boolean): CallCommand[] {
    return this.does({
      type: 'private_answered',
      side,
      accept,
      available_units: this.simulated.available,
    })
  }

  meters(): [string, number][] {
    const events = this.simulated.commands.filter((command) => command.type === 'notify_meter')
    return events.map(({ reading }) => [
      reading.why ?? reading.phase,
      getSeconds(reading.phase_since),
    ])
  }

  /** The seconds by share: free, quota, paid, paused. */
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
    return [this.call.reason, this.call.closed_at && getSeconds(this.call.closed_at)]
  }
}

export const getSeconds = (at: Temporal.Instant) => (at.epochMilliseconds - START_MS) / 1000
export const getTypes = (commands: CallCommand[]) => commands.map(({ type }) => type)
export const has = (commands: CallCommand[], type: CallCommand['type']) =>
  getTypes(commands).includes(type)
export const requeued = (commands: CallCommand[]) =>
  commands.flatMap((command) => (command.type === 'close' ? command.requeue : []))
