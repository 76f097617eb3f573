import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { CallEvent } from './call-events.ts'
import type { CloseReason } from '@duet/protocol/contracts/calls.ts'
import type { Side } from './call.ts'
import { START_MS, TICK_MS, simulate } from './simulate.ts'
import type { SimulatedCall } from './simulate.ts'

/**
 * The oracle: marks each tenth of a second of a finished call as good or not, from what event alone and by the sentences
 * of the rules, then counts marks. It knows nothing of how the meter counts.
 */
const endedByWord = new Set<CloseReason>(['left', 'break', 'moderator'])

class Oracle {
  readonly good: boolean[] = []
  readonly #reports = { guy: -Infinity, girl: -Infinity }
  readonly #frames_ms = { guy: -Infinity, girl: -Infinity }
  readonly #gone = { guy: false, girl: false }
  readonly #connected = { guy: false, girl: false }
  #decoded = 0
  #camera = true
  #guid = 'guid-0'
  #runs = false
  #server = false
  #paused = false
  #good_since = 0

  run(simulated: SimulatedCall): this {
    const end = (simulated.call.closed_at!.epochMilliseconds - START_MS) / TICK_MS
    const moments = Map.groupBy(simulated.moments, ({ at_ms }) => (at_ms - START_MS) / TICK_MS)
    for (let tick = 0; tick <= end; tick++) {
      const here = moments.get(tick) ?? []
      if (here[0]?.event.type !== 'server_restarted') this.#look(tick)
      // What time ended, it ended before anything else of that moment.
      if (tick === end && !endedByWord.has(simulated.call.reason!)) break
      for (const { event, settled_to_ms } of here) {
        this.#happen(tick, event)
        if (event.type === 'server_restarted') this.#forget(settled_to_ms, tick)
        this.#look(tick)
      }
      this.good[tick] = tick < end && this.#runs && !this.#paused
    }
    return this
  }

  /** Good tenths of a second before that one. */
  ticksBefore(tick: number): number {
    return this.good.slice(0, Math.max(0, tick)).filter(Boolean).length
  }

  #trouble(tick: number): boolean {
    const since = (at: number) => (tick - at) * TICK_MS
    if (this.#server || this.#gone.guy || this.#gone.girl || !this.#camera) return true
    if (since(this.#reports.guy) >= 5000 || since(this.#reports.girl) >= 5000) return true
    const saidNone = this.#reports.guy > this.#frames_ms.guy
    return since(this.#frames_ms.guy) >= 3000 && (saidNone || this.#paused)
  }

  #look(tick: number): void {
    if (!this.#runs) return
    const trouble = this.#trouble(tick)
    if (trouble && !this.#paused) {
      const borne_out = Math.max(
        this.#good_since,
        Math.min(this.#frames_ms.guy, this.#frames_ms.girl),
      )
      for (let t = borne_out; t < tick; t++) this.good[t] = false
    }
    if (!trouble && this.#paused) this.#good_since = tick
    this.#paused = trouble
  }

  #forget(settled_to_ms: number | undefined, tick: number): void {
    this.#server = this.#gone.guy = this.#gone.girl = true
    for (const side of ['guy', 'girl'] as const)
      this.#reports[side] = this.#frames_ms[side] = -Infinity
    if (!this.#runs || settled_to_ms === undefined) return
    for (let t = (settled_to_ms - START_MS) / TICK_MS; t < tick; t++) this.good[t] = false
    this.#paused = true
  }

  #back(side: Side): void {
    this.#gone[side] = false
    if (!this.#gone.guy && !this.#gone.girl) this.#server = false
  }

  #happen(tick: number, event: CallEvent): void {
    if (event.type === 'socket_lost' || event.type === 'taken_over') this.#gone[event.side] = true
    if (event.type === 'socket_restored') this.#back(event.side)
    if (event.type === 'joined') {
      if (event.session_guid !== this.#guid) {
        this.#decoded = 0
        this.#connected.guy = this.#connected.girl = false
      }
      this.#guid = event.session_guid
      this.#back(event.side)
    }
    if ('session_guid' in event && event.session_guid !== this.#guid) return
    if (event.type === 'peer_connected') this.#connect(tick, event.side)
    if (event.type === 'peer_not_connected') this.#connected[event.side] = false
    if (event.type === 'reported') this.#report(tick, event)
  }

  #connect(tick: number, side: Side): void {
    this.#connected[side] = true
    if (this.#runs || !this.#connected.guy || !this.#connected.girl) return
    this.#runs = true
    this.#good_since = tick
    for (const one of ['guy', 'girl'] as const) this.#reports[one] = this.#frames_ms[one] = tick
  }

  #report(tick: number, state: Extract<CallEvent, { type: 'reported' }>): void {
    this.#reports[state.side] = tick
    if (state.side === 'girl') {
      this.#camera = state.video
      if (state.video) this.#frames_ms.girl = tick
    } else {
      if (state.frames_decoded > this.#decoded) this.#frames_ms.guy = tick
      this.#decoded = state.frames_decoded
    }
  }
}

/** What the books must say: free seconds, quota, and what is left at the public, then the private price. */
function owed(simulated: SimulatedCall, oracle: Oracle) {
  const { call } = simulated
  const seconds = Math.floor(oracle.ticksBefore(Infinity) / 10)
  const private_at =
    simulated.became_private_ms === null
      ? Infinity
      : (simulated.became_private_ms - START_MS) / TICK_MS
  const is_public =
    call.kind === 'direct' ? 0 : Math.min(seconds, Math.ceil(oracle.ticksBefore(private_at) / 10))
  let [free, quota, paid_public, paid_private] = [0, 0, 0, 0]
  for (let second = 0; second < seconds; second++) {
    if (free < call.free_seconds) free++
    else if (second >= is_public) paid_private++
    else if (quota < call.quota_seconds) quota++
    else paid_public++
  }
  const cost = (in_public: bigint, in_private: bigint) =>
    (BigInt(paid_public) * in_public + BigInt(paid_private) * in_private) / 60n
  return {
    free,
    quota,
    paid: paid_public + paid_private,
    spent: cost(call.price_public, call.price_private),
    earned: cost(call.earn_public, call.earn_private),
  }
}

/** Good time, shares and books are what the oracle says. */
function chargedRight(simulated: SimulatedCall): void {
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

function closedOnce(simulated: SimulatedCall): void {
  equal(simulated.closes, 1)
  equal(simulated.held, 0n)
  equal(simulated.call.wake_at, null)
}

function receiptsSum(simulated: SimulatedCall): void {
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

/** Money that came in the very moment of the end came too late. */
function endedForWant({ call, balance, moments }: SimulatedCall): void {
  if (call.reason !== 'no_balance' || moments.at(-1)!.event.type === 'funds_added') return
  const price = call.state === 'private' ? call.price_private : call.price_public
  ok(balance < price / 60n + 1n, `${balance} left at ${price} a minute`)
  equal(call.good_ms % 1000, 0)
}

const laws = { chargedRight, closedOnce, receiptsSum, endedForWant }
const CALLS = 20_000

/** One pass over all calls for all laws: the seeds that break each, and what the calls met. */
function judgeAll() {
  const broken = new Map(Object.keys(laws).map((law) => [law, [] as string[]]))
  const met = new Map<string, number>()
  for (let seed = 0; seed < CALLS; seed++) {
    const simulated = simulate(seed)
    for (const [law, holds] of Object.entries(laws)) {
      try {
        holds(simulated)
      } catch (error) {
        broken.get(law)!.push(`seed ${seed}: ${String(error)}`)
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
    for (const one of seen) met.set(one, (met.get(one) ?? 0) + 1)
  }
  return { broken, met }
}

const { broken, met } = judgeAll()
const none: string[] = []

test(`in ${CALLS} random calls the charged seconds are the good joint seconds after free and quota`, () => {
  deepEqual(broken.get('chargedRight'), none)
})

test('each random call closes exactly once and leaves no hold', () =>
  deepEqual(broken.get('closedOnce'), none))

test('the parts of each receipt sum up, and its amounts equal the accounts', () => {
  deepEqual(broken.get('receiptsSum'), none)
})

test('a call that ends for lack of money ends at the second that could not be paid', () => {
  deepEqual(broken.get('endedForWant'), none)
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
  for (const one of [...ends, ...pauses, 'private', 'flagged']) ok((met.get(one) ?? 0) > 50, one)
})

test('the same seed gives the same call', () => {
  const text = (simulated: SimulatedCall) =>
    JSON.stringify([simulated.moments, simulated.commands], (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
  for (const seed of [1, 2, 3]) equal(text(simulate(seed)), text(simulate(seed)))
})
