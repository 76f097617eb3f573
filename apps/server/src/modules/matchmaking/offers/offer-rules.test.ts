import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideOffer, openOffer } from './offer-rules.ts'
import type { Offer, OfferDecision, OfferEffect, OfferHappened, Pairing } from './offer-rules.ts'

const rules = { offer_ms: 10_000, missed_offers: 3 }
const START_MS = 1_800_000_000_000
const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(START_MS + seconds * 1000)

const pairing: Pairing = {
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

function open(over: Partial<Pairing> = {}): OfferDecision {
  return openOffer({ ...pairing, ...over }, at(0), rules)
}

/** What happens, each a second after the other. */
function after(offer: Offer, ...moments: OfferHappened[]): OfferDecision {
  const effects: OfferEffect[] = []
  moments.forEach((happened, i) => {
    const decision = decideOffer(offer, happened, at(i + 1), rules)
    offer = decision.offer
    effects.push(...decision.effects)
  })
  return { offer, effects }
}

const waiting = (effects: OfferEffect[]) =>
  effects.flatMap((e) =>
    e.kind === 'wait_on' ? [[e.side, (e.waiting_since.epochMilliseconds - START_MS) / 1000]] : [],
  )
const out = (effects: OfferEffect[]) =>
  effects.flatMap((e) => (e.kind === 'out_of_search' ? [[e.side, e.why]] : []))
const has = (effects: OfferEffect[], kind: OfferEffect['kind']) =>
  effects.some((effect) => effect.kind === kind)
const accepted = (side: 'guy' | 'girl') => ({ kind: 'accepted', side }) as const
const expiry = (offer: Offer) => decideOffer(offer, { kind: 'time_came' }, at(10), rules)

test('both see an offer, and both must press', () => {
  deepEqual(open().effects.slice(0, 2), [
    { kind: 'show', to: 'guy', needs_press: true },
    { kind: 'show', to: 'girl', needs_press: true },
  ])
})

test('two acceptances make one call, in either order, however often pressed', () => {
  for (const [first, second] of [
    ['guy', 'girl'],
    ['girl', 'guy'],
  ] as const) {
    const { offer, effects } = after(
      open().offer,
      accepted(first),
      accepted(first),
      accepted(second),
      accepted(second),
    )
    equal(offer.state, 'matched')
    deepEqual(effects, [{ kind: 'open_call' }])
  }
})

test('who accepts automatically has accepted; where both do it is a call at once and nothing is shown', () => {
  const both = open({ guy_auto_accept: true, girl_auto_accept: true })
  deepEqual([both.offer.state, both.effects], ['matched', [{ kind: 'open_call' }]])
  const one = open({ girl_auto_accept: true })
  deepEqual(one.effects[1], { kind: 'show', to: 'girl', needs_press: false })
  equal(after(one.offer, accepted('guy')).offer.state, 'matched')
})

test('an offer without free seconds is always shown to him and needs his press', () => {
  const { offer, effects } = open({
    free_seconds: 0,
    guy_auto_accept: true,
    girl_auto_accept: true,
  })
  equal(offer.state, 'open')
  deepEqual(effects[0], { kind: 'show', to: 'guy', needs_press: true })
})

test('a rejection closes the offer, the other waits on with the time already waited', () => {
  for (const [side, other, since] of [
    ['guy', 'girl', -40],
    ['girl', 'guy', -30],
  ] as const) {
    const { offer, effects } = after(open().offer, accepted(other), { kind: 'rejected', side })
    equal(offer.reason, 'declined')
    deepEqual(waiting(effects), [[other, since]])
    deepEqual(out(effects), [[side, 'declined']])
    ok(has(effects, 'remember_declined'))
  }
})

test('no answer is a rejection: he is out of search, who accepted waits on', () => {
  const { offer, effects } = expiry(after(open().offer, accepted('girl')).offer)
  equal(offer.reason, 'expired')
  deepEqual([waiting(effects), out(effects)], [[['girl', -40]], [['guy', 'expired']]])
  ok(has(effects, 'remember_declined'))
})

test('a girl who lets three offers pass is taken out of search, and the absence is recorded', () => {
  for (const missed_before of [0, 1]) {
    const { effects } = expiry(after(open({ missed_before }).offer, accepted('guy')).offer)
    deepEqual(waiting(effects), [
      ['guy', -30],
      ['girl', 10],
    ])
    deepEqual(
      effects.filter(({ kind }) => kind === 'count_missed'),
      [{ kind: 'count_missed', missed_offers: missed_before + 1 }],
    )
    equal(has(effects, 'record_absence'), false)
  }
  const { effects } = expiry(after(open({ missed_before: 2 }).offer, accepted('guy')).offer)
  deepEqual(out(effects), [['girl', 'missed_offers']])
  ok(has(effects, 'record_absence'))
})

test('the offer tells her how many she has missed', () => {
  deepEqual(open({ missed_before: 2 }).effects[1], {
    kind: 'show',
    to: 'girl',
    needs_press: true,
    missed_offers: 2,
  })
})

test('any press of hers ends the row of missed offers', () => {
  for (const kind of ['accepted', 'rejected'] as const) {
    const { effects } = after(open({ missed_before: 2 }).offer, { kind, side: 'girl' })
    deepEqual(
      effects.filter(({ kind }) => kind === 'count_missed'),
      [{ kind: 'count_missed', missed_offers: 0 }],
    )
  }
})

const closings: [OfferHappened, string, unknown[], unknown[]][] = [
  [{ kind: 'stopped', side: 'guy' }, 'cancelled', [['girl', -40]], [['guy', 'stopped']]],
  [{ kind: 'unable', side: 'guy' }, 'cancelled', [['girl', -40]], [['guy', 'unable']]],
  [{ kind: 'went_offline', side: 'girl' }, 'offline', [['guy', -30]], []],
  [{ kind: 'taken', side: 'girl', by: 'call' }, 'matched_elsewhere', [['guy', -30]], []],
  [{ kind: 'taken', side: 'guy', by: 'ring' }, 'busy', [['girl', -40]], []],
  [
    { kind: 'blocked' },
    'blocked',
    [
      ['guy', -30],
      ['girl', -40],
    ],
    [],
  ],
  [{ kind: 'server_started' }, 'cancelled', [], []],
]
for (const [happened, reason, waits, leaves] of closings) {
  test(`an offer closes as ${reason}: ${happened.kind}; nobody has declined or missed anything`, () => {
    const { offer, effects } = after(open({ missed_before: 2 }).offer, happened)
    deepEqual(
      [offer.state, offer.reason, waiting(effects), out(effects)],
      ['closed', reason, waits, leaves],
    )
    for (const kind of [
      'remember_declined',
      'count_missed',
      'record_absence',
      'open_call',
    ] as const) {
      equal(has(effects, kind), false)
    }
  })
}

test('a server that starts late cancels an offer that ran out meanwhile, and counts it as not missed', () => {
  const { offer, effects } = decideOffer(open().offer, { kind: 'server_started' }, at(60), rules)
  deepEqual([offer.reason, has(effects, 'count_missed')], ['cancelled', false])
})

test('a press after the end is refused, and the offer ended at its own second', () => {
  for (const kind of ['accepted', 'rejected'] as const) {
    const { offer, effects } = decideOffer(open().offer, { kind, side: 'guy' }, at(10), rules)
    deepEqual([offer.reason, offer.closed_at], ['expired', at(10)])
    deepEqual(effects.at(-1), { kind: 'refuse', name: 'pair_over' })
    deepEqual(decideOffer(offer, { kind, side: 'girl' }, at(11), rules).effects, [
      { kind: 'refuse', name: 'pair_over' },
    ])
  }
})

// Random orders

const side = fc.constantFrom('guy' as const, 'girl' as const)
const moment: fc.Arbitrary<OfferHappened> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('accepted' as const), side }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('rejected' as const, 'stopped' as const), side }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('went_offline' as const, 'unable' as const),
      side,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('taken' as const),
      side,
      by: fc.constantFrom('call', 'ring'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('blocked' as const, 'server_started' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('time_came' as const) }) },
)
const story = fc.record({
  guy_auto_accept: fc.boolean(),
  girl_auto_accept: fc.boolean(),
  free_seconds: fc.constantFrom(0, 10),
  missed_before: fc.integer({ min: 0, max: 2 }),
  moments: fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), moment), { maxLength: 12 }),
})

test('in 10,000 random orders an offer ends once, with one call or none, and each side has one fate', () => {
  fc.assert(
    fc.property(story, ({ moments, ...over }) => {
      let { offer, effects } = open(over)
      const all = [...effects]
      const pressed = {
        guy: over.guy_auto_accept && over.free_seconds > 0,
        girl: over.girl_auto_accept,
      }
      let now = 0
      const live = (happened: OfferHappened) => {
        const wasOpen = offer.state === 'open' && now < 10
        ;({ offer, effects } = decideOffer(offer, happened, at(now), rules))
        all.push(...effects)
        if (wasOpen && happened.kind === 'accepted') pressed[happened.side] = true
        const over = effects.some((e) => e.kind === 'refuse')
        ok(!over || offer.state !== 'open')
      }
      for (const [wait, happened] of moments) {
        now += wait
        live(happened)
        equal(offer.state === 'matched', pressed.guy && pressed.girl && offer.reason === null)
      }
      now = Math.max(now, 10)
      live({ kind: 'time_came' })
      const ends = all.filter(({ kind }) => kind === 'close' || kind === 'open_call')
      equal(ends.length, 1)
      equal(offer.wake_at, null)
      const restarted = moments.some(([, { kind }]) => kind === 'server_started')
      ok(restarted || offer.closed_at!.epochMilliseconds <= at(10).epochMilliseconds)
      const fates = all.flatMap((e) =>
        e.kind === 'wait_on' || e.kind === 'out_of_search' ? [e.side] : [],
      )
      equal(new Set(fates).size, fates.length)
      if (offer.state === 'matched') deepEqual(fates, [])
      for (const e of all) {
        if (e.kind !== 'wait_on') continue
        const declined = offer[`${e.side}_answer`] === 'declined'
        ok(!declined)
        const silentGirl =
          e.side === 'girl' && offer.reason === 'expired' && offer.girl_answer === null
        if (!silentGirl) equal(e.waiting_since, offer[`${e.side}_waiting_since`])
      }
      equal(has(all, 'remember_declined'), ['declined', 'expired'].includes(offer.reason ?? ''))
      equal(
        has(all, 'record_absence'),
        out(all).some(([, why]) => why === 'missed_offers'),
      )
    }),
    { numRuns: 10_000 },
  )
})
