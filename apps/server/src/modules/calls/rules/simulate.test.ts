import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { CallEvent } from './call-events.ts'
import type { CloseReason } from '@duet/protocol/contracts/calls.ts'
import type { Side } from './call.ts'
import { START_MS, TICK_MS, simulate } from './simulate.ts'
import type { SimulatedCall } from './simulate.ts'

/** An event ends a call for these reasons; time alone ends it for the others. */
const ENDED_BY_EVENT = new Set<CloseReason>(['left', 'break', 'moderator'])

/**
 * Marks each tenth of a second of a finished call as good or not, from the events alone and by the sentences of the rules,
 * then counts the marks. It does not use the code of the meter.
 */
class Oracle {
  readonly good: boolean[] = []
  readonly #lastReportTick = { guy: -Infinity, girl: -Infinity }
  readonly #lastGoodTick = { guy: -Infinity, girl: -Infinity }
  readonly #absent = { guy: false, girl: false }
  readonly #connected = { guy: false, girl: false }
  #framesDecoded = 0
  #isCameraOn = true
  #guid = 'guid-0'
  #isRunning = false
  #isServerLost = false
  #isPaused = false
  #goodSinceTick = 0

  run(simulated: SimulatedCall): this {
    const end = (simulated.call.closed_at!.epochMilliseconds - START_MS) / TICK_MS
    const moments = Map.groupBy(simulated.moments, ({ at_ms }) => (at_ms - START_MS) / TICK_MS)
    for (let tick = 0; tick <= end; tick++) {
      const here = moments.get(tick) ?? []
      if (here[0]?.event.type !== 'server_restarted') this.#updatePause(tick)
      // A call that ended by time alone ended before every event of that moment.
      if (tick === end && !ENDED_BY_EVENT.has(simulated.call.reason!)) break
      for (const { event, settled_to_ms } of here) {
        this.#applyEvent(tick, event)
        if (event.type === 'server_restarted') this.#applyRestart(settled_to_ms, tick)
        this.#updatePause(tick)
      }
      this.good[tick] = tick < end && this.#isRunning && !this.#isPaused
    }
    return this
  }

  /** The number of good ticks before this one. */
  ticksBefore(tick: number): number {
    return this.good.slice(0, Math.max(0, tick)).filter(Boolean).length
  }

  #isInterrupted(tick: number): boolean {
    const since = (at: number) => (tick - at) * TICK_MS
    if (this.#isServerLost || this.#absent.guy || this.#absent.girl || !this.#isCameraOn)
      return true
    if (since(this.#lastReportTick.guy) >= 5000 || since(this.#lastReportTick.girl) >= 5000)
      return true
    const reportedNoFrames = this.#lastReportTick.guy > this.#lastGoodTick.guy
    return since(this.#lastGoodTick.guy) >= 3000 && (reportedNoFrames || this.#isPaused)
  }

  #updatePause(tick: number): void {
    if (!this.#isRunning) return
    const isInterrupted = this.#isInterrupted(tick)
    if (isInterrupted && !this.#isPaused) {
      const confirmedUntil = Math.max(
        this.#goodSinceTick,
        Math.min(this.#lastGoodTick.guy, this.#lastGoodTick.girl),
      )
      for (let one = confirmedUntil; one < tick; one++) this.good[one] = false
    }
    if (!isInterrupted && this.#isPaused) this.#goodSinceTick = tick
    this.#isPaused = isInterrupted
  }

  #applyRestart(settledToMs: number | undefined, tick: number): void {
    this.#isServerLost = this.#absent.guy = this.#absent.girl = true
    for (const side of ['guy', 'girl'] as const)
      this.#lastReportTick[side] = this.#lastGoodTick[side] = -Infinity
    if (!this.#isRunning || settledToMs === undefined) return
    for (let one = (settledToMs - START_MS) / TICK_MS; one < tick; one++) this.good[one] = false
    this.#isPaused = true
  }

  #applyReturn(side: Side): void {
    this.#absent[side] = false
    if (!this.#absent.guy && !this.#absent.girl) this.#isServerLost = false
  }

  #applyEvent(tick: number, event: CallEvent): void {
    if (event.type === 'socket_lost' || event.type === 'taken_over') this.#absent[event.side] = true
    if (event.type === 'socket_restored') this.#applyReturn(event.side)
    if (event.type === 'joined') {
      if (event.session_guid !== this.#guid) {
        this.#framesDecoded = 0
        this.#connected.guy = this.#connected.girl = false
      }
      this.#guid = event.session_guid
      this.#applyReturn(event.side)
    }
    if ('session_guid' in event && event.session_guid !== this.#guid) return
    if (event.type === 'peer_connected') this.#applyConnected(tick, event.side)
    if (event.type === 'peer_not_connected') this.#connected[event.side] = false
    if (event.type === 'reported') this.#applyReport(tick, event)
  }

  #applyConnected(tick: number, side: Side): void {
    this.#connected[side] = true
    if (this.#isRunning || !this.#connected.guy || !this.#connected.girl) return
    this.#isRunning = true
    this.#goodSinceTick = tick
    for (const one of ['guy', 'girl'] as const)
      this.#lastReportTick[one] = this.#lastGoodTick[one] = tick
  }

  #applyReport(tick: number, state: Extract<CallEvent, { type: 'reported' }>): void {
    this.#lastReportTick[state.side] = tick
    if (state.side === 'girl') {
      this.#isCameraOn = state.video
      if (state.video) this.#lastGoodTick.girl = tick
    } else {
      if (state.frames_decoded > this.#framesDecoded) this.#lastGoodTick.guy = tick
      this.#framesDecoded = state.frames_decoded
    }
  }
}

/** The expected accounts: free seconds, quota, and the rest at the public, then the private price. */
function owed(simulated: SimulatedCall, oracle: Oracle) {
  const { call } = simulated
  const seconds = Math.floor(oracle.ticksBefore(Infinity) / 10)
  const privateAtTick =
    simulated.became_private_ms === null
      ? Infinity
      : (simulated.became_private_ms - START_MS) / TICK_MS
  const publicSeconds =
    call.kind === 'direct'
      ? 0
      : Math.min(seconds, Math.ceil(oracle.ticksBefore(privateAtTick) / 10))
  let [free, quota, paidPublic, paidPrivate] = [0, 0, 0, 0]
  for (let second = 0; second < seconds; second++) {
    if (free < call.free_seconds) free++
    else if (second >= publicSeconds) paidPrivate++
    else if (quota < call.quota_seconds) quota++
    else paidPublic++
  }
  const cost = (inPublic: bigint, inPrivate: bigint) =>
    (BigInt(paidPublic) * inPublic + BigInt(paidPrivate) * inPrivate) / 60n
  return {
    free,
    quota,
    paid: paidPublic + paidPrivate,
    spent: cost(call.price_public, call.price_private),
    earned: cost(call.earn_public, call.earn_private),
  }
}

/** Good time, shares and accounts equal those of the oracle. */
function chargesGoodSeconds(simulated: SimulatedCall): void {
  const { call } = simulated
  const oracle = new Oracle().run(simulated)
  equal(call.good_ms, oracle.ticksBefore(Infinity) * TICK_MS)
  const { free_used: free, quota_used: quota, paid_seconds: paid } = call
  deepEqual(
    { free, quota, paid, spent: simulated.spent, earned: simulated.earned },
    owed(simulated, oracle),
  )
  equal(simulated.quota_used, quota)
}

function closesOnce(simulated: SimulatedCall): void {
  equal(simulated.closes, 1)
  equal(simulated.held, 0n)
  equal(simulated.call.wake_at, null)
}

function receiptsSumUp(simulated: SimulatedCall): void {
  const close = simulated.commands.find((command) => command.type === 'close')!
  for (const { seconds, free_seconds, quota_seconds, paid_seconds, paused } of [
    close.guy,
    close.girl,
  ]) {
    const pauses = paused.reduce((sum, pause) => sum + pause.seconds, 0)
    equal(seconds, free_seconds + quota_seconds + paid_seconds + pauses)
    ok(paused.every((pause) => pause.seconds > 0))
  }
  deepEqual([close.guy.spent, close.girl.earned], [simulated.spent, simulated.earned])
}

/** Money that is added at the moment of the end comes too late. */
function endsAtLastPaidSecond({ call, balance, moments }: SimulatedCall): void {
  if (call.reason !== 'no_balance' || moments.at(-1)!.event.type === 'funds_added') return
  const price = call.state === 'private' ? call.price_private : call.price_public
  ok(balance < price / 60n + 1n, `${balance} left at ${price} a minute`)
  equal(call.good_ms % 1000, 0)
}

const INVARIANTS = { chargesGoodSeconds, closesOnce, receiptsSumUp, endsAtLastPaidSecond }
const CALLS = 20_000

/** One pass over all calls for all invariants: the seeds that violate each, and the reasons that occurred. */
function simulateAll() {
  const broken = new Map(Object.keys(INVARIANTS).map((name) => [name, [] as string[]]))
  const occurred = new Map<string, number>()
  for (let seed = 0; seed < CALLS; seed++) {
    const simulated = simulate(seed)
    for (const [name, check] of Object.entries(INVARIANTS)) {
      try {
        check(simulated)
      } catch (error) {
        broken.get(name)!.push(`seed ${seed}: ${String(error)}`)
      }
    }
    const { call } = simulated
    const became = call.private_from !== null && call.kind === 'random' ? ['private'] : []
    const seen = new Set([
      call.reason!,
      ...call.paused.map(({ why }) => why),
      ...became,
      ...(call.flagged ? ['flagged'] : []),
    ])
    for (const one of seen) occurred.set(one, (occurred.get(one) ?? 0) + 1)
  }
  return { broken, occurred }
}

const { broken, occurred } = simulateAll()
const NONE: string[] = []

test(`in ${CALLS} random calls the charged seconds are the good joint seconds after free and quota`, () => {
  deepEqual(broken.get('chargesGoodSeconds'), NONE)
})

test('each random call closes exactly once and leaves no hold', () =>
  deepEqual(broken.get('closesOnce'), NONE))

test('the parts of each receipt sum up, and its amounts equal the accounts', () => {
  deepEqual(broken.get('receiptsSumUp'), NONE)
})

test('a call that ends for lack of money ends at the second that could not be paid', () => {
  deepEqual(broken.get('endsAtLastPaidSecond'), NONE)
})

test('the random calls contain every reason to end and every reason to pause', () => {
  const ends = [
    'break',
    'left',
    'media_lost',
    'moderator',
    'new_tab',
    'no_balance',
    'not_connected',
    'partner_lost',
    'server',
  ]
  const pauses = ['camera_off', 'gone', 'no_frames', 'no_report']
  for (const one of [...ends, ...pauses, 'private', 'flagged'])
    ok((occurred.get(one) ?? 0) > 50, one)
})

test('the same seed gives the same call', () => {
  const text = (simulated: SimulatedCall) =>
    JSON.stringify([simulated.moments, simulated.commands], (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
  for (const seed of [1, 2, 3]) equal(text(simulate(seed)), text(simulate(seed)))
})
