import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import type { Call } from '@duet/server/modules/calls/rules/call.ts'
import {
  affordableSeconds,
  earnedUnits,
  holdUnits,
  spentUnits,
} from '@duet/server/modules/calls/rules/receipt.ts'
import { fromDecimal, toWire, unitsOf, type Asset } from '@duet/server/lib/money.ts'

/** For the movements that exist: parts add up to the whole, in integers. */
const RUNS = 5_000

const units = fc.bigInt(0n, 10n ** 14n)
const seconds = fc.nat({ max: 60 })
/** As far as prices go: a call that may have become private at some second. */
const calls = fc
  .record({
    price_public: units,
    price_private: units,
    earn_public: units,
    earn_private: units,
    free_seconds: seconds,
    quota_seconds: seconds,
    private_from: fc.option(fc.nat({ max: 5_000 })),
  })
  .map((call) => call as unknown as Call)
const pieces = fc.array(fc.nat({ max: 120 }), { maxLength: 60 })

test('the postings of a call add up to its total price and earnings, rounded once', () => {
  fc.assert(
    fc.property(calls, pieces, (call, secondsOfPieces) => {
      for (const total of [spentUnits, earnedUnits]) {
        let seconds = 0
        let posted = 0n
        for (const piece of secondsOfPieces) {
          const part = total(call, seconds + piece) - total(call, seconds)
          ok(part >= 0n)
          posted += part
          seconds += piece
        }
        equal(posted, total(call, seconds))
      }
    }),
    { numRuns: RUNS, seed: testSeed() },
  )
})

test('the affordable seconds can be paid, and one more cannot', () => {
  fc.assert(
    fc.property(
      calls,
      fc.nat({ max: 10_000 }),
      fc.integer({ min: 1, max: 60 }),
      fc.bigInt(0n, 10n ** 15n),
      (call, fromSeconds, seconds, available) => {
        const most = affordableSeconds(
          call,
          { from_seconds: fromSeconds, seconds } as never,
          available,
        )
        ok(holdUnits(call, fromSeconds, most) <= available && most <= seconds)
        if (most < seconds) ok(holdUnits(call, fromSeconds, most + 1) > available)
      },
    ),
    { numRuns: RUNS, seed: testSeed() },
  )
})

test('an amount survives its wire form, except for the last decimals of diamonds', () => {
  const assets = Object.keys(unitsOf) as Asset[]
  fc.assert(
    fc.property(
      fc.constantFrom(...assets),
      fc.bigInt(-(10n ** 14n), 10n ** 14n),
      (asset, amount) => {
        const lost = amount - fromDecimal(asset, toWire(asset, amount))
        ok(lost >= 0n && lost < (asset.startsWith('diamond') ? 6n : 1n))
      },
    ),
    { numRuns: RUNS, seed: testSeed() },
  )
})
