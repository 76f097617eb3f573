import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { unitsOf } from '@duet/server/lib/money.ts'
import { balances } from '@duet/server/modules/ledger/index.ts'
import { coinsOfPurchase, partTakenBack, percentage } from '@duet/server/modules/referrals/rules.ts'
import { buy, giveBack, invite } from '@duet/testkit/referrals.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { story } from '@duet/testkit/test-app.ts'

/** The shares of inviters: the pure rules over millions of amounts, and the whole way of some purchases through the database. */
const isLong = process.env.PROOF === 'long'
const SHARES = isLong ? 10_000_000 : 100_000
const PURCHASES = isLong ? 2_000 : 40
const HOLD_DAYS = 60
const seed = testSeed()
const random = randomFrom(seed)

/** A price in cents, with at most this number of digits: every length is drawn as often. */
const drawCents = (digits: number) => BigInt(Math.floor(10 ** (random() * digits)))
const draw = (below: number) => Math.floor(random() * below)

test(`${SHARES} random shares are exact: the parts and a rest below one unit make the whole (seed ${seed})`, () => {
  for (let time = 0; time < SHARES; time += 1) {
    const price = drawCents(9)
    const percent = draw(101)
    const coin_rate = 1 + draw(5000)
    const share = coinsOfPurchase(price, { percent, coin_rate })
    // In hundredths of a unit of a cent, where nothing is rounded.
    const exact = price * BigInt(coin_rate) * BigInt(percent) * (unitsOf.coin / unitsOf.usd)
    const rest = exact - share * 100n
    ok(rest >= 0n && rest < 100n, `${price} ${percent} ${coin_rate}`)
    const part = percentage(share, percent)
    const others = percentage(share, 100 - percent)
    const left = share - part - others
    ok(left === 0n || left === 1n, `${share} ${percent}`)
    const returned = (price * BigInt(draw(101))) / 100n
    const back = partTakenBack(share, { price_usd: price, returned_usd: returned })
    const kept = share - back
    // The inviter keeps no more than the share of what the buyer has not got back, and less than one unit less.
    ok(kept * price <= share * (price - returned) && back <= share, `${share} ${price} ${returned}`)
    ok((kept + 1n) * price > share * (price - returned), `${share} ${price} ${returned}`)
    equal(partTakenBack(share, { price_usd: price, returned_usd: price }), share)
  }
})

story(
  `the shares of ${PURCHASES} random purchases, some given back, are in the books to the unit (seed ${seed})`,
  async ({ testApp, anna, boris }) => {
    await invite(testApp, anna, boris)
    let expected = 0n
    for (let purchase = 0; purchase < PURCHASES; purchase += 1) {
      // Up to a thousand dollars: the sum must fit into one balance.
      const price = drawCents(5)
      const order = await buy(testApp, boris.id, null, price)
      const returned = draw(2) ? (price * BigInt(draw(101))) / 100n : 0n
      if (returned > 0n) await giveBack(testApp, boris.id, order, returned, price)
      const share = (price * 1250n * 15n * unitsOf.coin) / (unitsOf.usd * 100n)
      expected += share - (share * returned + price - 1n) / price
    }
    testApp.clock.sleep(testApp.clock.now().add({ hours: 24 * HOLD_DAYS }))
    await testApp.app.jobs.run('referrals pay')
    const { balance_units } = await balances(testApp.app.db, anna.id)
    equal(balance_units, expected)
    const { ok: isRight } = await testApp.duet<{ ok: boolean }>('ledger', 'check')
    equal(isRight, true)
  },
)
