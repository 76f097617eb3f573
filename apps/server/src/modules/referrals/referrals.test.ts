import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { UserId } from '../../core/ids.ts'
import { forgetUser } from '../identity/index.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { randomFrom } from '@duet/testkit/seeded-random.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { coinsOfPurchase, partOf, partTakenBack } from './rules.ts'

/** As the registration writes it. */
async function invite({ app }: TestApp, inviter: TestUser, invited: TestUser): Promise<void> {
  await app.db
    .updateTable('users')
    .set({ referred_by: inviter.id })
    .where('id', '=', invited.id)
    .execute()
  forgetUser(app, invited.id)
}

let orders = 0

/** The facts of a purchase of 15 minutes, as the shop publishes them. */
async function buy(testApp: TestApp, user_id: UserId, instrument: string | null = null) {
  orders += 1
  return testApp.app.transact(async (tx) => {
    const { order_id } = await tx
      .insertInto('orders')
      .values({
        reference: `D-TEST-${orders}`,
        user_id,
        place: 'billing',
        method: 'verotel',
        pack: 'minutes',
        value: 15,
        bonus: 5,
        price: 1499n,
        currency: 'USD',
        price_usd: 1499n,
        state: 'paid',
        instrument,
        created_at: tx.now,
        expires_at: tx.now,
        paid_at: tx.now,
        changed_at: tx.now,
      })
      .returning('order_id')
      .executeTakeFirstOrThrow()
    await tx.publish('purchase_paid', {
      order_id,
      user_id,
      pack: 'minutes',
      value: 15,
      price_usd: 1499n,
      method: 'verotel',
      instrument,
    })
    return order_id
  })
}

async function giveBack(testApp: TestApp, user_id: UserId, order_id: number, usd = 1499n) {
  await testApp.app.transact((tx) =>
    tx.publish('purchase_returned', {
      order_id,
      user_id,
      kind: 'refunded',
      price_usd: 1499n,
      returned_usd: usd,
    }),
  )
}

async function payAfter(testApp: TestApp, days: number): Promise<void> {
  testApp.clock.sleep(testApp.clock.now().add({ hours: 24 * days }))
  await testApp.app.jobs.run('referrals pay')
}

const balance = async (user: TestUser) => (await user.post('balance')).balance
const COINS = '2810.625'

story(
  'a girl gets her part of a purchase of her guest, when it cannot be given back any more',
  async ({ testApp, anna, boris }) => {
    await invite(testApp, anna, boris)
    await buy(testApp, boris.id)
    const held = await anna.get('ref_stat')
    deepEqual([held.held, held.guys.bought, held.guys.earned], [COINS, 1, '0'])
    deepEqual(
      held.history.items.map(({ what, nick, amount }) => [what, nick, amount]),
      [['purchase', 'Boris', COINS]],
    )
    await payAfter(testApp, 29)
    equal(await balance(anna), '0')
    await payAfter(testApp, 2)
    await testApp.app.jobs.run('referrals pay')
    equal(await balance(anna), COINS)
    equal((await anna.get('ref_stat')).guys.earned, COINS)
  },
)

story(
  'a visitor who comes by a link counts once, and an unknown code gets the same answer',
  async ({ testApp, anna, gina }) => {
    const { ref_code } = await anna.get('ref_stat')
    for (const rc of [ref_code, ref_code, 'ZZZZZZZZZZ'])
      deepEqual(await gina.post('sponsored', { rc }), {})
    await gina.post('sponsored', { rc: ref_code, for: 'girls' })
    await testApp.settle()
    const { guys, girls } = await anna.get('ref_stat')
    deepEqual([guys.invited, girls.invited], [1, 0])
  },
)

story(
  'a guy gets a tenth of the minutes that his guest buys, without the bonus',
  async ({ testApp, boris, carl }) => {
    await invite(testApp, boris, carl)
    await buy(testApp, carl.id)
    await payAfter(testApp, 31)
    equal(await balance(boris), '1.5')
  },
)

story(
  'a purchase that is given back while it is held brings nothing',
  async ({ testApp, anna, boris }) => {
    await invite(testApp, anna, boris)
    const order_id = await buy(testApp, boris.id)
    await giveBack(testApp, boris.id, order_id)
    equal((await anna.get('ref_stat')).held, '0')
    await payAfter(testApp, 31)
    equal(await balance(anna), '0')
  },
)

story(
  'a purchase that is charged back after its share was paid is taken from the next share',
  async ({ testApp, anna, boris }) => {
    await invite(testApp, anna, boris)
    const order_id = await buy(testApp, boris.id)
    await payAfter(testApp, 31)
    await giveBack(testApp, boris.id, order_id)
    equal(await balance(anna), COINS)
    await buy(testApp, boris.id)
    await payAfter(testApp, 31)
    equal(await balance(anna), COINS)
    await buy(testApp, boris.id)
    await payAfter(testApp, 31)
    equal(await balance(anna), '5621.25')
  },
)

story(
  'an inviter who paid with the same card as the guest earns nothing until staff release it',
  async ({ testApp, boris, carl }) => {
    await invite(testApp, boris, carl)
    await buy(testApp, boris.id, 'card')
    await buy(testApp, carl.id, 'card')
    await payAfter(testApp, 31)
    equal(await balance(boris), '0')
    const [flagged] = await testApp.duet<{ share_id: number; flag: string }[]>(
      ...(['referrals', 'flagged'] as const),
    )
    equal(flagged?.flag, 'same_instrument')
    await testApp.duet('referrals', 'release', flagged!.share_id, '--comment', 'two brothers')
    await testApp.app.jobs.run('referrals pay')
    equal(await balance(boris), '1.5')
  },
)

story(
  'a girl gets a tenth of what an invited girl earns from guys with Premium, one row a day',
  async ({ testApp, anna, clara, boris }) => {
    await invite(testApp, anna, clara)
    await testApp.duet('grant', boris.id, 50, 'diamond', '--reason', 'test')
    const give = async (random_id: string) => {
      const { gifts } = await boris.get('gifts')
      const { gift_id } = gifts.find(({ price }) => price === '5')!
      await boris.act('GIVE_GIFT', { gift_id, recipient_id: clara.id, random_id })
    }
    await give('without')
    equal((await anna.get('ref_stat')).held, '0')
    await testApp.duet('premium', boris.id, '--days', '30')
    await give('one')
    await give('two')
    const stat = await anna.get('ref_stat')
    deepEqual([stat.held, stat.history.items.length], ['75', 1])
    await payAfter(testApp, 31)
    equal(await balance(anna), '75')
  },
)

story(
  'a guy gets his bonus once for a verified girl who has earned enough',
  async ({ testApp, carl, anna, boris }) => {
    await invite(testApp, carl, anna)
    await testApp.setting('referral_bonus_at', '100')
    await testApp.duet('grant', boris.id, 50, 'diamond', '--reason', 'test')
    const { gifts } = await boris.get('gifts')
    const { gift_id } = gifts.find(({ price }) => price === '5')!
    await boris.act('GIVE_GIFT', { gift_id, recipient_id: anna.id, random_id: 'one' })
    await testApp.app.jobs.run('referrals pay')
    await payAfter(testApp, 31)
    await payAfter(testApp, 31)
    equal(await balance(carl), '30')
  },
)

story(
  'a call brings the share of its earnings at its end',
  async ({ testApp, anna, clara, boris }) => {
    await invite(testApp, anna, clara)
    await testApp.duet('grant', boris.id, 50, 'diamond', '--reason', 'test')
    await testApp.duet('premium', boris.id, '--days', '30')
    const { session_id } = await inCall(testApp, { guy: boris, girl: clara })
    await testApp.advance(30_000)
    await boris.act('BREAK_SESSION', { session_id })
    await testApp.settle()
    const { held } = await anna.get('ref_stat')
    const coins = Number(await balance(clara))
    equal(Number(held).toFixed(6), (coins / 10).toFixed(6))
  },
)

test('shares are never more than their part, and a whole return takes a share whole', () => {
  const random = randomFrom(11)
  for (let time = 0; time < 10_000; time += 1) {
    const price = BigInt(Math.floor(random() * 1_000_000))
    const percent = Math.floor(random() * 101)
    const units = coinsOfPurchase(price, { percent, coin_rate: 1250 })
    const whole = coinsOfPurchase(price, { percent: 100, coin_rate: 1250 })
    const rest = coinsOfPurchase(price, { percent: 100 - percent, coin_rate: 1250 })
    ok(units + rest <= whole && whole - units - rest <= 1n)
    const part = partOf(units, percent)
    ok(part * 100n <= units * BigInt(percent))
    const returned = BigInt(Math.floor(random() * Number(price + 1n)))
    const back = partTakenBack(units, { price_usd: price, returned_usd: returned })
    ok(back >= 0n && back <= units)
    equal(partTakenBack(units, { price_usd: price, returned_usd: price }), units)
  }
})
