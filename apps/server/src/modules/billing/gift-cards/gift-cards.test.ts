import { deepEqual, equal } from 'node:assert/strict'
import { productDay } from '../../../lib/clock.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

/** The thirteenth method has no provider and no callbacks. The cases that it shares with the others are in `contract.test.ts`. */

async function createCode(testApp: TestApp, ...options: readonly string[]): Promise<string> {
  const line = ['giftcards', 'create', '--count', '1', '--minutes', '30', ...options]
  return (await testApp.duet<{ codes: string[] }>(...line)).codes[0]!
}

const redeem = (user: TestUser, code: string) => user.post('gift-card/redeem', { code })
const minutes = async (user: TestUser) => Number((await user.post('balance')).balance)
const isRefused = (user: TestUser, code: string) =>
  user.isRefused('not_found', () => redeem(user, code))

async function isConsistent(testApp: TestApp): Promise<void> {
  equal((await testApp.duet<{ ok: boolean }>('ledger', 'check')).ok, true)
}

/** The next try of a guy who has used up the tries of this minute. */
function waitAMinute({ clock }: TestApp): void {
  clock.sleep(clock.now().add({ minutes: 1 }))
}

story('of two guys with one code one is credited', async ({ boris, carl, testApp }) => {
  const code = await createCode(testApp)
  await Promise.all([boris, carl].map((guy) => redeem(guy, code).catch(() => undefined)))
  deepEqual([await minutes(boris), await minutes(carl)].toSorted(), [0, 30])
  const [late] = (await minutes(boris)) === 0 ? [boris] : [carl]
  await isRefused(late!, code)
  await isConsistent(testApp)
})

story(
  'a code that is wrong, cut, empty or of another sign is refused',
  async ({ boris, testApp }) => {
    const code = await createCode(testApp)
    const [first = ''] = code
    const forged = [
      code.slice(0, -1),
      `${code}0`,
      code.replace(first, first === '0' ? '1' : '0'),
      '-',
    ]
    for (const one of forged) await isRefused(boris, one)
    await boris.isRefused('invalid', () => redeem(boris, ''))
    equal(await minutes(boris), 0)
    waitAMinute(testApp)
    await redeem(boris, ` ${code.toLowerCase().replaceAll('-', ' ')}`)
    equal(await minutes(boris), 30)
  },
)

story('a code counts on its last day and not after it', async ({ boris, carl, testApp }) => {
  const until = productDay(testApp.clock.now()).toString()
  const [one, other] = [
    await createCode(testApp, '--until', until),
    await createCode(testApp, '--until', until),
  ]
  await redeem(boris, one)
  testApp.clock.sleep(testApp.clock.now().add({ hours: 48 }))
  await isRefused(carl, other)
  // A repetition of a redemption that counted still has its answer.
  equal((await redeem(boris, one)).status, 'paid')
  deepEqual([await minutes(boris), await minutes(carl)], [30, 0])
})

story(
  'a repetition after a month, and after a refund, credits nothing',
  async ({ boris, testApp }) => {
    const code = await createCode(testApp)
    const { order_id } = await redeem(boris, code)
    testApp.clock.sleep(testApp.clock.now().add({ hours: 24 * 30 }))
    equal((await redeem(boris, code)).order_id, order_id)
    equal(await minutes(boris), 30)
    await testApp.duet('orders', 'refund', order_id, '--comment', 'given back')
    equal(await minutes(boris), 0)
    equal((await redeem(boris, code)).status, 'refunded')
    equal(await minutes(boris), 0)
    await isConsistent(testApp)
  },
)
