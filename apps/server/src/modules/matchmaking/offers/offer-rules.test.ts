import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { decideOffer, openOffer } from './offer-rules.ts'
import type { Offer, OfferDecision, OfferCommand, OfferEvent, OfferOpening } from './offer-rules.ts'

const rules = { offer_ms: 10_000, missed_offers: 3 }
const START_MS = 1_800_000_000_000
const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(START_MS + seconds * 1000)

const pairing: OfferOpening = {
  pair_id: '6c9c2b70-9f5b-4a8c-9d53-0f4f0e0d0001',
  guy_id: 1,
  girl_id: 2,
  free_seconds: 10,
  guy_auto_accept: false,
  girl_auto_accept: false,
  guy_waiting_since: at(-30),
  girl_waiting_since: at(-40),
  missed_before: 0,
}

function open(over: Partial<OfferOpening> = {}): OfferDecision {
  return openOffer({ ...pairing, ...over }, at(0), rules)
}

/** Applies the events, one second apart. */
function after(offer: Offer, ...moments: OfferEvent[]): OfferDecision {
  const commands: OfferCommand[] = []
  moments.forEach((event, i) => {
    const decision = decideOffer(offer, event, at(i + 1), rules)
    offer = decision.state
    commands.push(...decision.commands)
  })
  return { state: offer, commands }
}

const waiting = (commands: readonly OfferCommand[]) =>
  commands.flatMap((e) =>
    e.type === 'keep_waiting'
      ? [[e.side, (e.waiting_since.epochMilliseconds - START_MS) / 1000]]
      : [],
  )
const out = (commands: readonly OfferCommand[]) =>
  commands.flatMap((e) => (e.type === 'leave_search' ? [[e.side, e.why]] : []))
const has = (commands: readonly OfferCommand[], type: OfferCommand['type']) =>
  commands.some((command) => command.type === type)
const accepted = (side: 'guy' | 'girl') => ({ type: 'accepted', side }) as const
const expiry = (offer: Offer) => decideOffer(offer, { type: 'time_came' }, at(10), rules)

test('an offer is shown to both sides, and both have to accept', () => {
  deepEqual(open().commands.slice(0, 2), [
    { type: 'show_offer', to: 'guy', needs_press: true },
    { type: 'show_offer', to: 'girl', needs_press: true },
  ])
})

test('two acceptances open one call, in either order and however often they are repeated', () => {
  for (const [first, second] of [
    ['guy', 'girl'],
    ['girl', 'guy'],
  ] as const) {
    const { state: offer, commands } = after(
      open().state,
      accepted(first),
      accepted(first),
      accepted(second),
      accepted(second),
    )
    equal(offer.state, 'matched')
    deepEqual(commands, [{ type: 'open_call' }])
  }
})

test('automatic acceptance counts at once; if both sides have it, a call opens and nothing is shown', () => {
  const both = open({ guy_auto_accept: true, girl_auto_accept: true })
  deepEqual([both.state.state, both.commands], ['matched', [{ type: 'open_call' }]])
  const one = open({ girl_auto_accept: true })
  deepEqual(one.commands[1], { type: 'show_offer', to: 'girl', needs_press: false })
  equal(after(one.state, accepted('guy')).state.state, 'matched')
})

test('an offer without free seconds is always shown to the guy and needs his answer', () => {
  const { state: offer, commands } = open({
    free_seconds: 0,
    guy_auto_accept: true,
    girl_auto_accept: true,
  })
  equal(offer.state, 'open')
  deepEqual(commands[0], { type: 'show_offer', to: 'guy', needs_press: true })
})

test('a rejection closes the offer, and the other side keeps waiting with its time', () => {
  for (const [side, other, since] of [
    ['guy', 'girl', -40],
    ['girl', 'guy', -30],
  ] as const) {
    const { state: offer, commands } = after(open().state, accepted(other), {
      type: 'rejected',
      side,
    })
    equal(offer.reason, 'declined')
    deepEqual(waiting(commands), [[other, since]])
    deepEqual(out(commands), [[side, 'declined']])
    ok(has(commands, 'record_meeting'))
  }
})

test('no answer counts as a rejection: the guy leaves the search, a side that accepted keeps waiting', () => {
  const { state: offer, commands } = expiry(after(open().state, accepted('girl')).state)
  equal(offer.reason, 'expired')
  deepEqual([waiting(commands), out(commands)], [[['girl', -40]], [['guy', 'expired']]])
  ok(has(commands, 'record_meeting'))
})

test('a girl who misses three offers in a row leaves the search, and an absence is recorded', () => {
  for (const missed_before of [0, 1]) {
    const { commands } = expiry(after(open({ missed_before }).state, accepted('guy')).state)
    deepEqual(waiting(commands), [
      ['guy', -30],
      ['girl', 10],
    ])
    deepEqual(
      commands.filter(({ type }) => type === 'save_missed_offers'),
      [{ type: 'save_missed_offers', missed_offers: missed_before + 1 }],
    )
    equal(has(commands, 'record_absence'), false)
  }
  const { commands } = expiry(after(open({ missed_before: 2 }).state, accepted('guy')).state)
  deepEqual(out(commands), [['girl', 'missed_offers']])
  ok(has(commands, 'record_absence'))
})

test('an offer contains the number of offers that the girl has missed', () => {
  deepEqual(open({ missed_before: 2 }).commands[1], {
    type: 'show_offer',
    to: 'girl',
    needs_press: true,
    missed_offers: 2,
  })
})

test('any answer of the girl resets her missed offers', () => {
  for (const type of ['accepted', 'rejected'] as const) {
    const { commands } = after(open({ missed_before: 2 }).state, { type, side: 'girl' })
    deepEqual(
      commands.filter(({ type }) => type === 'save_missed_offers'),
      [{ type: 'save_missed_offers', missed_offers: 0 }],
    )
  }
})

const closings: [OfferEvent, string, unknown[], unknown[]][] = [
  [{ type: 'stopped', side: 'guy' }, 'cancelled', [['girl', -40]], [['guy', 'stopped']]],
  [{ type: 'unable', side: 'guy' }, 'cancelled', [['girl', -40]], [['guy', 'unable']]],
  [{ type: 'went_offline', side: 'girl' }, 'offline', [['guy', -30]], [['girl', 'offline']]],
  [
    { type: 'taken', side: 'girl', by: 'call' },
    'matched_elsewhere',
    [['guy', -30]],
    [['girl', 'in_call']],
  ],
  [{ type: 'taken', side: 'guy', by: 'ring' }, 'busy', [['girl', -40]], [['guy', 'busy']]],
  [
    { type: 'blocked' },
    'blocked',
    [
      ['guy', -30],
      ['girl', -40],
    ],
    [],
  ],
  [{ type: 'server_started' }, 'cancelled', [], []],
]
for (const [event, reason, waits, leaves] of closings) {
  test(`the event ${event.type} closes an offer as ${reason} and counts as neither declined nor missed`, () => {
    const { state: offer, commands } = after(open({ missed_before: 2 }).state, event)
    deepEqual(
      [offer.state, offer.reason, waiting(commands), out(commands)],
      ['closed', reason, waits, leaves],
    )
    for (const type of [
      'record_meeting',
      'save_missed_offers',
      'record_absence',
      'open_call',
    ] as const) {
      equal(has(commands, type), false)
    }
  })
}

test('a server start cancels an offer that expired while no server ran, and it does not count as missed', () => {
  const { state: offer, commands } = decideOffer(
    open().state,
    { type: 'server_started' },
    at(60),
    rules,
  )
  deepEqual([offer.reason, has(commands, 'save_missed_offers')], ['cancelled', false])
})

test('an answer after the expiry is refused, and the offer ended at its own time', () => {
  for (const type of ['accepted', 'rejected'] as const) {
    const { state: offer, commands } = decideOffer(
      open().state,
      { type, side: 'guy' },
      at(10),
      rules,
    )
    deepEqual([offer.reason, offer.closed_at], ['expired', at(10)])
    deepEqual(commands.at(-1), { type: 'refuse', name: 'pair_over' })
    deepEqual(decideOffer(offer, { type, side: 'girl' }, at(11), rules).commands, [
      { type: 'refuse', name: 'pair_over' },
    ])
  }
})

// Random orders

const side = fc.constantFrom('guy' as const, 'girl' as const)
const moment: fc.Arbitrary<OfferEvent> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('accepted' as const), side }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom('rejected' as const, 'stopped' as const), side }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom('went_offline' as const, 'unable' as const),
      side,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('taken' as const),
      side,
      by: fc.constantFrom('call', 'ring'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constantFrom('blocked' as const, 'server_started' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('time_came' as const) }) },
)
const story = fc.record({
  guy_auto_accept: fc.boolean(),
  girl_auto_accept: fc.boolean(),
  free_seconds: fc.constantFrom(0, 10),
  missed_before: fc.integer({ min: 0, max: 2 }),
  moments: fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), moment), { maxLength: 12 }),
})

test('in 10,000 random orders an offer ends once, with one call or none, and each side gets exactly one outcome', () => {
  fc.assert(
    fc.property(story, ({ moments, ...over }) => {
      let { state: offer, commands } = open(over)
      const all = [...commands]
      const pressed = {
        guy: over.guy_auto_accept && over.free_seconds > 0,
        girl: over.girl_auto_accept,
      }
      let now = 0
      const live = (event: OfferEvent) => {
        const wasOpen = offer.state === 'open' && now < 10
        ;({ state: offer, commands } = decideOffer(offer, event, at(now), rules))
        all.push(...commands)
        if (wasOpen && event.type === 'accepted') pressed[event.side] = true
        const over = commands.some((e) => e.type === 'refuse')
        ok(!over || offer.state !== 'open')
      }
      for (const [wait, event] of moments) {
        now += wait
        live(event)
        equal(offer.state === 'matched', pressed.guy && pressed.girl && offer.reason === null)
      }
      now = Math.max(now, 10)
      live({ type: 'time_came' })
      const ends = all.filter(({ type }) => type === 'close_offer' || type === 'open_call')
      equal(ends.length, 1)
      equal(offer.wake_at, null)
      const isRestarted = moments.some(([, { type }]) => type === 'server_started')
      ok(isRestarted || offer.closed_at!.epochMilliseconds <= at(10).epochMilliseconds)
      const outcomes = all.flatMap((e) =>
        e.type === 'keep_waiting' || e.type === 'leave_search' ? [e.side] : [],
      )
      const mayHaveNone = offer.state === 'matched' || (offer.reason === 'cancelled' && isRestarted)
      deepEqual(outcomes.toSorted(), mayHaveNone && outcomes.length === 0 ? [] : ['girl', 'guy'])
      if (offer.state === 'matched') deepEqual(outcomes, [])
      for (const e of all) {
        if (e.type !== 'keep_waiting') continue
        const hasDeclined = offer[`${e.side}_answer`] === 'declined'
        ok(!hasDeclined)
        const silentGirl =
          e.side === 'girl' && offer.reason === 'expired' && offer.girl_answer === null
        if (!silentGirl) equal(e.waiting_since, offer[`${e.side}_waiting_since`])
      }
      equal(has(all, 'record_meeting'), ['declined', 'expired'].includes(offer.reason ?? ''))
      equal(
        has(all, 'record_absence'),
        out(all).some(([, why]) => why === 'missed_offers'),
      )
    }),
    { numRuns: 10_000, seed: testSeed() },
  )
})
