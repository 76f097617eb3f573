import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { CallEvent } from '@duet/server/modules/calls/rules/call-events.ts'
import type { CloseReason } from '@duet/protocol/contracts/calls.ts'
import type { Side } from '@duet/server/modules/calls/rules/call.ts'
import { TICK_MS, simulate } from './simulate.ts'
import { START_MS } from './simulated-call.ts'
import type { SimulatedCall } from './simulated-call.ts'

/** An event ends a call for these reasons; time alone ends it for the others. */
const ENDED_BY_EVENT = new Set<CloseReason>(['left', 'break', 'moderator'])

/** If a page leaves of its own will, the report of the other page counts until its next report is due. */
const LEFT = new Set<CloseReason>(['left', 'break'])
const REPORT_TICKS = 2000 / TICK_MS

/**
 * Marks each tenth of a second of a finished call as good or not, then counts the marks. It follows the
 * sentences of the rules and uses only the events, not the code of the meter.
 */
class Oracle {
  readonly good: boolean[] = []
  readonly contradicted: boolean[] = []
  /** Ticks for which her reports prove that he received. */
  readonly proved: boolean[] = []
  /**
   * Ticks in which the call ran, her socket was connected and her camera was on: she did not cause an
   * unpaid tick.
   */
  readonly offered: boolean[] = []
  /** The longest time for which the girl's camera was off while the call went on. */
  longestCameraOffTicks = 0
  readonly #simulated: SimulatedCall
  readonly #lastReportTick = { guy: -Infinity, girl: -Infinity }
  readonly #lastGoodTick = { guy: -Infinity, girl: -Infinity }
  /** Since when the guy is present again after the last loss of a socket. */
  #returnedTick = -Infinity
  readonly #absent = { guy: false, girl: false }
  readonly #connected = { guy: false, girl: false }
  #framesDecoded = 0
  #sent = { frames: 0, reports: 0 }
  #proof: { from: number; to: number } | null = null
  #cameraOffSince: number | null = null
  #guid = 'guid-0'
  #isRunning = false
  #isServerLost = false
  #why: string | null = null
  #goodSinceTick = 0

  constructor(simulated: SimulatedCall) {
    this.#simulated = simulated
  }

  run(): this {
    const { call, moments } = this.#simulated
    const end = (call.closed_at!.epochMilliseconds - START_MS) / TICK_MS
    const byTick = Map.groupBy(moments, ({ at_ms }) => (at_ms - START_MS) / TICK_MS)
    const isEndedByEvent = ENDED_BY_EVENT.has(call.reason!)
    for (let tick = 0; tick <= end; tick++) {
      const here = byTick.get(tick) ?? []
      if (here[0]?.event.type !== 'server_restarted') this.#updatePause(tick)
      // A call that ended by time alone ended before every event of that moment.
      if (tick === end && !isEndedByEvent) break
      for (const { event, settled_to_ms } of here) {
        this.#applyEvent(tick, event)
        if (event.type === 'server_restarted') this.#applyRestart(settled_to_ms, tick)
        if (tick < end || event.type !== 'left') this.#updatePause(tick)
      }
      this.good[tick] = tick < end && this.#isRunning && this.#why === null
      this.offered[tick] = tick < end && this.#isOffered()
      this.#measureCameraOff(tick)
    }
    if (call.reason === 'media_lost') this.#markSilence(end)
    // The report that ended the call, or proved its last second, is the last report.
    if (!isEndedByEvent) {
      for (const [tick, there] of byTick) {
        if (tick < end || (call.reason !== 'no_balance' && !call.flagged)) continue
        for (const { event } of there) {
          this.#applyEvent(tick, event)
          if (call.flagged) this.#updatePause(tick)
        }
      }
    }
    this.#unmarkUnproved(end)
    return this
  }

  /** The number of good ticks before this tick. */
  ticksBefore(tick: number): number {
    return this.good.slice(0, Math.max(0, tick)).filter(Boolean).length
  }

  get unpaidProvedTicks(): number {
    return this.offered.filter((is, tick) => is && this.proved[tick] && !this.good[tick]).length
  }

  #isOffered(): boolean {
    if (!this.#isRunning || this.#isServerLost || this.#absent.girl) return false
    return this.#cameraOffSince === null
  }

  #measureCameraOff(tick: number): void {
    if (!this.#isRunning || this.#isServerLost || this.#cameraOffSince === null) return
    const ticks = tick - this.#cameraOffSince
    this.longestCameraOffTicks = Math.max(this.longestCameraOffTicks, ticks)
  }

  #unmarkUnproved(end: number): void {
    if (!this.#isRunning || this.#why !== null) return
    for (let tick = this.#provedUntil(); tick < end; tick++) this.good[tick] = false
  }

  #provedUntil(): number {
    const { guy, girl } = this.#lastGoodTick
    const both = Math.max(this.#goodSinceTick, Math.min(guy, girl))
    const denies = this.#lastReportTick.guy - guy > 10
    const isProved = guy >= girl || this.#proof?.to === girl
    if (!LEFT.has(this.#simulated.call.reason!) || denies || !isProved) return both
    const until = Math.max(both, Math.min(Math.max(guy, girl), Math.min(guy, girl) + REPORT_TICKS))
    return this.#affordable(until)
  }

  /** Without another second that the guy can pay, nothing more counts. */
  #affordable(until: number): number {
    const { call, balance } = this.#simulated
    const price = call.state === 'private' ? call.price_private : call.price_public
    const excess = this.ticksBefore(until) - call.good_ms / TICK_MS
    const isSpent = balance < price / 60n + 1n && call.good_ms % 1000 === 0
    return excess > 0 && isSpent ? until - excess : until
  }

  #interruption(tick: number): string | null {
    const since = (at: number) => (tick - at) * TICK_MS
    if (this.#isServerLost || this.#absent.guy || this.#absent.girl) return 'absent'
    if (this.#cameraOffSince !== null) return 'camera_off'
    if (since(this.#lastReportTick.guy) >= 5000 || since(this.#lastReportTick.girl) >= 5000)
      return 'no_report'
    if (since(this.#lastGoodTick.guy) < 3000) return null
    if (this.#lastReportTick.guy > this.#lastGoodTick.guy) return 'no_frames'
    return this.#why === null ? null : 'no_report'
  }

  #updatePause(tick: number): void {
    if (!this.#isRunning) return
    const why = this.#interruption(tick)
    if (why !== null && this.#why === null) {
      const confirmedUntil = Math.max(
        this.#goodSinceTick,
        Math.min(this.#lastGoodTick.guy, this.#lastGoodTick.girl),
      )
      for (let one = confirmedUntil; one < tick; one++) this.good[one] = false
    }
    if (why === null && this.#why !== null) this.#goodSinceTick = tick
    this.#why = why
    this.#markContradicted()
  }

  /** In a pause for missing frames: the time that the guy denies and the girl proves. */
  #markContradicted(): void {
    if (this.#why !== 'no_frames' || this.#lastReportTick.guy <= this.#lastGoodTick.guy) return
    this.#markProved(this.#lastReportTick.guy)
  }

  /** His reports failed to come for five seconds although he was present: the time that the girl proves. */
  #markSilence(tick: number): void {
    const heard = Math.max(this.#lastReportTick.guy, this.#returnedTick)
    if (this.#why === 'no_report' && (tick - heard) * TICK_MS >= 5000) this.#markProved(tick)
  }

  #markProved(most: number): void {
    if (this.#proof === null || !this.#simulated.call.guy_trusted) return
    const until = Math.min(most, this.#proof.to)
    const from = Math.max(this.#lastGoodTick.guy, this.#returnedTick, this.#proof.from)
    for (let tick = from; tick < until; tick++) this.contradicted[tick] = true
  }

  #applyRestart(settledToMs: number | undefined, tick: number): void {
    this.#isServerLost = this.#absent.guy = this.#absent.girl = true
    this.#cameraOffSince = null
    this.#proof = null
    for (const side of ['guy', 'girl'] as const)
      this.#lastReportTick[side] = this.#lastGoodTick[side] = -Infinity
    if (!this.#isRunning || settledToMs === undefined) return
    for (let one = (settledToMs - START_MS) / TICK_MS; one < tick; one++) this.good[one] = false
    this.#why = 'absent'
  }

  #applyReturn(tick: number, side: Side): void {
    if (side === 'guy' && this.#absent.guy) this.#returnedTick = tick
    this.#absent[side] = false
    if (!this.#absent.guy && !this.#absent.girl) this.#isServerLost = false
  }

  #applyEvent(tick: number, event: CallEvent): void {
    if (event.type === 'socket_lost' || event.type === 'taken_over') this.#absent[event.side] = true
    if (event.type === 'socket_restored') this.#applyReturn(tick, event.side)
    if (event.type === 'left' && event.side === 'guy') this.#markSilence(tick)
    if (event.type === 'joined') {
      if (event.session_guid !== this.#guid) {
        this.#framesDecoded = 0
        this.#sent = { frames: 0, reports: 0 }
        this.#proof = null
        this.#connected.guy = this.#connected.girl = false
      }
      this.#guid = event.session_guid
      this.#applyReturn(tick, event.side)
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
    if (this.#cameraOffSince !== null) this.#cameraOffSince = tick
    for (const one of ['guy', 'girl'] as const)
      this.#lastReportTick[one] = this.#lastGoodTick[one] = tick
  }

  #applyReport(tick: number, state: Extract<CallEvent, { type: 'reported' }>): void {
    const isHisWordUsed = this.#simulated.call.guy_trusted || !this.#isRunning
    if (state.side === 'girl') this.#applyHerReport(tick, state, isHisWordUsed)
    else {
      this.#markSilence(tick)
      if (isHisWordUsed) {
        this.#lastReportTick.guy = tick
        if (state.frames_decoded > this.#framesDecoded) this.#lastGoodTick.guy = tick
      }
      this.#framesDecoded = state.frames_decoded
    }
  }

  #applyHerReport(
    tick: number,
    state: Extract<CallEvent, { type: 'reported' }>,
    isHisWordUsed: boolean,
  ): void {
    const before = this.#lastReportTick.girl
    const grows =
      state.frames_sent > this.#sent.frames && state.reports_received > this.#sent.reports
    if (grows && state.video && tick - before <= 50) {
      for (let one = before; one < tick; one++) this.proved[one] = true
      this.#proof = { from: this.#proof?.to === before ? this.#proof.from : before, to: tick }
    }
    this.#sent = { frames: state.frames_sent, reports: state.reports_received }
    this.#lastReportTick.girl = tick
    this.#cameraOffSince = state.video ? null : (this.#cameraOffSince ?? tick)
    if (state.video) this.#lastGoodTick.girl = tick
    if (isHisWordUsed) return
    this.#lastReportTick.guy = tick
    if (this.#proof?.to === tick) this.#lastGoodTick.guy = tick
  }
}

const oracles = new WeakMap<SimulatedCall, Oracle>()

/** Several laws ask the same oracle. */
function createOracle(simulated: SimulatedCall): Oracle {
  const oracle = oracles.get(simulated) ?? new Oracle(simulated).run()
  oracles.set(simulated, oracle)
  return oracle
}

/**
 * The most time that the reports of both sides can prove, without any rule about pauses. It is the time
 * between good reports of a side that are close enough, and one interval after the last report.
 */
function mostProvedTicks({ call, moments }: SimulatedCall): number {
  const proved = { guy: new Set<number>(), girl: new Set<number>() }
  const last = { guy: -Infinity, girl: -Infinity }
  const prove = (side: Side, tick: number) => {
    const from = tick - last[side] <= 50 ? last[side] : tick
    for (let one = from; one < tick + REPORT_TICKS; one++) proved[side].add(one)
    last[side] = tick
  }
  const connectedTick =
    ((call.connected_at ?? call.closed_at!).epochMilliseconds - START_MS) / TICK_MS
  for (const side of ['guy', 'girl'] as const) prove(side, connectedTick)
  let lastTick = connectedTick
  for (const { event, at_ms } of moments) {
    if (event.type !== 'reported') continue
    const tick = (at_ms - START_MS) / TICK_MS
    if (tick < connectedTick || (event.side === 'girl' && !event.video)) continue
    lastTick = tick
    prove(event.side, tick)
    if (!call.guy_trusted && event.side === 'girl') prove('guy', tick)
  }
  return [...proved.guy.intersection(proved.girl)].filter(
    (tick) => tick >= connectedTick && tick < lastTick,
  ).length
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
  const oracle = createOracle(simulated)
  equal(call.good_ms, oracle.ticksBefore(Infinity) * TICK_MS)
  const { free_used: free, quota_used: quota, paid_seconds: paid } = call
  deepEqual(
    { free, quota, paid, spent: simulated.spent, earned: simulated.earned },
    owed(simulated, oracle),
  )
  equal(simulated.quota_used, quota)
}

function chargesNoMoreThanBothProve(simulated: SimulatedCall): void {
  ok(simulated.call.good_ms <= mostProvedTicks(simulated) * TICK_MS)
}

/** Contradicting reports end a call after ten seconds of them, a camera that is off after a minute. */
function endsWithoutFairVideo(simulated: SimulatedCall): void {
  const { call } = simulated
  const oracle = createOracle(simulated)
  const contradictedMs = oracle.contradicted.filter(Boolean).length * TICK_MS
  equal(call.flagged, contradictedMs >= 10_000)
  if (!call.flagged) equal(call.contradicted_ms, contradictedMs)
  if (call.flagged) ok(call.reason === 'media_lost' || call.reason === 'left')
  ok(oracle.longestCameraOffTicks * TICK_MS <= 60_000)
}

function hasAlwaysATimer({ without_timer_ms }: SimulatedCall): void {
  equal(without_timer_ms, null)
}

/**
 * The guy can watch unpaid for at most a minute of broken media and a minute without his socket. Some
 * seconds more are the girl's own: before her pause, unconfirmed time is not paid.
 */
const UNPAID_PROVED_MS = 135_000

function watchesLittleUnpaid(simulated: SimulatedCall): void {
  ok(createOracle(simulated).unpaidProvedTicks * TICK_MS <= UNPAID_PROVED_MS)
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

function isEndOfCamera({ call }: SimulatedCall): boolean {
  return call.reason === 'media_lost' && call.paused.at(-1)?.why === 'camera_off'
}

const INVARIANTS = {
  chargesGoodSeconds,
  chargesNoMoreThanBothProve,
  endsWithoutFairVideo,
  hasAlwaysATimer,
  watchesLittleUnpaid,
  closesOnce,
  receiptsSumUp,
  endsAtLastPaidSecond,
}
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
      ...(isEndOfCamera(simulated) ? ['end of the camera'] : []),
      ...(call.guy_trusted || call.paid_seconds === 0 ? [] : ['proof of the girl']),
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

test('no random call charges more than the reports of both prove', () => {
  deepEqual(broken.get('chargesNoMoreThanBothProve'), NONE)
})

test('ten seconds of contradiction or a minute without her camera end a random call', () => {
  deepEqual(broken.get('endsWithoutFairVideo'), NONE)
})

test('an open random call always has a timer', () => deepEqual(broken.get('hasAlwaysATimer'), NONE))

test('no guy in a random call watches long unpaid while her proof rises', () =>
  deepEqual(broken.get('watchesLittleUnpaid'), NONE))

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
  const special = ['private', 'flagged', 'end of the camera', 'proof of the girl']
  const pauses = ['camera_off', 'gone', 'no_frames', 'no_report']
  for (const one of [...ends, ...pauses, ...special]) ok((occurred.get(one) ?? 0) > 50, one)
})

test('the same seed gives the same call', () => {
  const text = (simulated: SimulatedCall) =>
    JSON.stringify([simulated.moments, simulated.commands], (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
  for (const seed of [1, 2, 3]) equal(text(simulate(seed)), text(simulate(seed)))
})
