import type { FindingsCase } from '@duet/protocol'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { deepEqual, equal } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { toGender } from '@duet/protocol/kernel/roles.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { buy, giveBack, invite } from '@duet/testkit/referrals.ts'
import { enterCrowd } from '@duet/testkit/crowd.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { forgetUser } from '../identity/index.ts'
import { fromDecimal, unitsOf } from '../../lib/money.ts'
import { balances, transfer } from '../ledger/index.ts'
import { findFlag } from './find-flag.ts'
import { payShares } from './pay-shares.ts'
import { owedSum, readTotals } from './queries.ts'

async function payAfter(testApp: TestApp, days: number): Promise<void> {
  testApp.clock.sleep(testApp.clock.now().add({ hours: 24 * days }))
  await testApp.app.jobs.run('referrals pay')
}

/** Takes coins or minutes of a user, as something that costs. */
async function spend(testApp: TestApp, user: TestUser, amount: string | bigint, key = '') {
  spendings += 1
  const asset = user.user.role === 'girl' ? ('coin' as const) : ('diamond' as const)
  await testApp.app.transact((tx) =>
    transfer(tx, {
      key: key || `spending ${spendings}`,
      asset,
      from: key ? { house: 'promotion' } : { user_id: user.id },
      to: { house: 'sales' },
      amount: typeof amount === 'string' ? fromDecimal(asset, amount) : amount,
      what: 'test',
      cause: { kind: 'test' },
    }),
  )
}

let spendings = 0

/** Returns the units that were taken. */
async function spendPart(testApp: TestApp, user: TestUser, part: number): Promise<bigint> {
  const { units } = await books(testApp, user)
  const amount = (units * BigInt(Math.floor(part * 100))) / 100n
  if (amount > 0n) await spend(testApp, user, amount)
  return amount
}

/** The sums of an inviter in units. */
async function books({ app }: TestApp, { id }: TestUser) {
  const { balance_units } = await balances(app.db, id)
  const [total] = await readTotals(app.db, id)
  return { units: balance_units, earned: total?.earned ?? 0n, owed: await owedSum(app.db, id) }
}

function readShare({ app }: TestApp, order_id: number) {
  return app.db
    .selectFrom('referral_shares')
    .selectAll()
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
}

const flagged = (testApp: TestApp) =>
  testApp.duet<unknown>('referrals', 'flagged') as Promise<{ share_id: number; flag: string }[]>

interface Bought {
  readonly order_id: number
  readonly cents: bigint
  readonly due_at: Temporal.Instant
  /** In cents; a later notice of less changes nothing. */
  returned: bigint
  isPaid: boolean
}

const STEPS = 300

/** 15 % of the cents at 1250 coins for a dollar. */
const shareOfGirl = (cents: bigint) => (cents * 1250n * 15n * unitsOf.coin) / 10_000n

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
      [
        ['purchase', 'Boris', COINS],
        ['registered', 'Boris', '0'],
      ],
    )
    await payAfter(testApp, 29)
    equal(await balance(anna), '0')
    testApp.clock.sleep(testApp.clock.now().add({ hours: 48 }))
    await Promise.all([1, 2, 3].map(() => payShares(testApp.app)))
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
  'a paid share of a purchase that is charged back is taken from the balance',
  async ({ testApp, anna, boris }) => {
    await invite(testApp, anna, boris)
    const order_id = await buy(testApp, boris.id)
    await payAfter(testApp, 31)
    await giveBack(testApp, boris.id, order_id, 750n)
    await anna.heard('new_balance_info', { reason: 'refund' })
    await giveBack(testApp, boris.id, order_id)
    await giveBack(testApp, boris.id, order_id)
    equal(await balance(anna), '0')
    const { guys, history } = await anna.get('ref_stat')
    equal(guys.earned, '0')
    deepEqual(
      history.items.map(({ what, amount }) => [what, amount]),
      [
        ['taken_back', '0'],
        ['registered', '0'],
      ],
    )
  },
)

story(
  'what the balance does not cover of a charge-back is taken from the next share',
  async ({ testApp, anna, boris }) => {
    await invite(testApp, anna, boris)
    const order_id = await buy(testApp, boris.id)
    await payAfter(testApp, 31)
    await spend(testApp, anna, COINS)
    await giveBack(testApp, boris.id, order_id)
    const shown = await testApp.duet<{ owed: string }>('referrals', 'show', anna.id)
    equal(shown.owed, COINS)
    await buy(testApp, boris.id)
    await payAfter(testApp, 31)
    equal(await balance(anna), '0')
    await buy(testApp, boris.id)
    await payAfter(testApp, 31)
    equal(await balance(anna), COINS)
  },
)

story(
  'a guest of the card of the inviter brings nothing, also if the inviter pays with it later',
  async ({ testApp, boris, carl }) => {
    await invite(testApp, boris, carl)
    await buy(testApp, carl.id, 'card')
    equal((await boris.get('ref_stat')).held, '1.5')
    await buy(testApp, boris.id, 'card')
    await payAfter(testApp, 31)
    deepEqual([await balance(boris), (await flagged(testApp)).length], ['0', 1])
  },
)

story(
  'the shares of a night are one notice, and a share that cannot be paid keeps back no other inviter',
  async ({ testApp, anna, boris, carl, david }) => {
    await invite(testApp, anna, boris)
    await invite(testApp, carl, david)
    const of = await buy(testApp, boris.id)
    await buy(testApp, boris.id)
    await buy(testApp, david.id)
    // The key of this share has moved another amount.
    const { share_id } = await readShare(testApp, of)
    await spend(testApp, anna, '0.00000001', `referral:${share_id}`)
    await payAfter(testApp, 31)
    deepEqual([await balance(anna), await balance(carl)], ['0', '1.5'])
    deepEqual(
      (await carl.get('notices')).items.map(({ kind, facts }) => [kind, facts]),
      [['referral', { reason: 'referral', asset: 'diamond', amount: '1.5' }]],
    )
  },
)

story(
  'an inviter who was erased before the payment is paid nothing',
  async ({ testApp, anna, boris }) => {
    await invite(testApp, anna, boris)
    const order_id = await buy(testApp, boris.id)
    await testApp.app.db
      .updateTable('users')
      .set({ erased_at: testApp.clock.now() })
      .where('id', '=', anna.id)
      .execute()
    forgetUser(testApp.app, anna.id)
    await payAfter(testApp, 31)
    equal((await readShare(testApp, order_id)).state, 'lapsed')
  },
)

interface Joined {
  readonly code?: string
  readonly fingerprint?: string
  readonly gender?: 'guy' | 'girl'
}

let visitors = 0

/** A visitor who opens a link, and registers. */
async function join(testApp: TestApp, { code, fingerprint, gender = 'guy' }: Joined) {
  visitors += 1
  const user = testApp.user(`visitor ${visitors}`)
  await user.auth({ ...(code && { ref_code: code }) } as object)
  if (fingerprint) await user.act('D_INFO', { fingerprint })
  await user.post('age/confirm', { confirmed: true, terms: true })
  const { token } = await user.act('UPDATE_PROFILE', {
    nick: `Visitor ${visitors}`,
    email: `visitor-${visitors}@duet.example`,
    password: 'visitor-secret-1',
    birthday: '1990-02-03',
    gender: toGender(gender),
  })
  user.token = token
  return user
}

interface Scenario {
  readonly name: string
  readonly inviter?: Joined
  readonly invited?: Joined & { readonly changesCode?: (code: string) => string }
  /** After the registration of both. */
  readonly does?: (
    testApp: TestApp,
    pair: { inviter: TestUser; invited: TestUser },
  ) => Promise<void>
  /** The balance of the inviter after a purchase of the invited user, and the hold. */
  readonly brings: string
  readonly flag?: 'same_device' | 'same_instrument'
}

const guy = { gender: 'guy' } as const
const girl = { gender: 'girl' } as const

const SCENARIOS: readonly Scenario[] = [
  { name: 'a girl invites a guy', inviter: girl, brings: COINS },
  { name: 'a guy invites a guy', inviter: guy, brings: '1.5' },
  {
    name: 'two accounts of one device',
    inviter: { ...guy, fingerprint: 'phone 1' },
    invited: { fingerprint: 'phone 1' },
    brings: '0',
    flag: 'same_device',
  },
  {
    name: 'a girl invites a guy of her device',
    inviter: { ...girl, fingerprint: 'phone 2' },
    invited: { fingerprint: 'phone 2' },
    brings: '0',
    flag: 'same_device',
  },
  {
    name: 'two devices in one network',
    inviter: { ...girl, fingerprint: 'phone 3' },
    invited: { fingerprint: 'phone 4' },
    brings: COINS,
  },
  {
    name: 'a code in small letters',
    invited: { changesCode: (code) => code.toLowerCase() },
    brings: '0',
  },
  { name: 'a part of a code', invited: { changesCode: (code) => code.slice(0, -1) }, brings: '0' },
  { name: 'a code and a space', invited: { changesCode: (code) => `${code} ` }, brings: '0' },
  { name: 'full-width letters', invited: { changesCode: toFullWidth }, brings: '0' },
  {
    name: 'a code that comes after the registration',
    invited: { changesCode: () => '' },
    does: async (_, { inviter, invited }) => {
      await invited.auth({ ref_code: String(inviter.user.ref_code) } as object)
      await invited.act('UPDATE_PROFILE', { about: 'Hi' })
    },
    brings: '0',
  },
  {
    name: 'the own code after the registration',
    invited: { changesCode: () => '' },
    does: async (_, { inviter }) => {
      await inviter.auth({ ref_code: String(inviter.user.ref_code) } as object)
      await inviter.act('UPDATE_PROFILE', { about: 'Hi' })
    },
    brings: '0',
  },
  {
    name: 'the guest of a guest brings the first inviter nothing',
    does: async (testApp, { invited }) => {
      const code = String(invited.user.ref_code)
      await buy(testApp, (await join(testApp, { code })).id)
    },
    brings: '1.5',
  },
  {
    name: 'two accounts that invited each other in a circle of three',
    does: async (testApp, { inviter, invited }) => {
      const third = await join(testApp, { code: String(invited.user.ref_code) })
      await inviter.auth({ ref_code: String(third.user.ref_code) } as object)
      await buy(testApp, inviter.id)
    },
    brings: '1.5',
  },
]

function toFullWidth(code: string): string {
  return code.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0))
}

story('a code binds only at the registration, and only two users', async ({ testApp }) => {
  for (const { name, inviter: by = guy, invited: as = {}, does, brings, flag } of SCENARIOS) {
    const inviter = await join(testApp, by)
    await inviter.auth()
    const { changesCode = String, ...joined } = as
    const invited = await join(testApp, {
      ...joined,
      code: changesCode(String(inviter.user.ref_code)),
    })
    await invited.auth()
    await does?.(testApp, { inviter, invited })
    const order_id = await buy(testApp, invited.id)
    await payAfter(testApp, 31)
    equal(await balance(inviter), brings, name)
    if (flag) equal((await readShare(testApp, order_id)).flag, flag, name)
  }
})

/** He invites a girl on his own device, and her bonus is due. */
async function oneDevice(testApp: TestApp, boris: TestUser) {
  const carl = await join(testApp, { fingerprint: 'tablet' })
  await carl.auth()
  const code = String(carl.user.ref_code)
  const girl = await join(testApp, { code, fingerprint: 'tablet', gender: 'girl' })
  await testApp.duet('verify', girl.id)
  await testApp.setting('referral_bonus_at', '100')
  await testApp.app.transact((tx) =>
    tx.publish('girl_earned', { girl_id: girl.id, guy_id: boris.id, units: unitsOf.coin * 200n }),
  )
  await testApp.app.jobs.run('referrals pay')
  await payAfter(testApp, 31)
  return { carl, girl }
}

story(
  'the bonus and the earnings of an account on the same device are flagged, and released once',
  async ({ testApp, boris }) => {
    const { carl } = await oneDevice(testApp, boris)
    const [share] = await flagged(testApp)
    deepEqual([await balance(carl), share!.flag], ['0', 'same_device'])
    await testApp.duet('referrals', 'release', share!.share_id, '--comment', 'one family')
    equal((await auditedActs(testApp))[0], 'referral_release')
    await payAfter(testApp, 0)
    equal(await balance(carl), '30')
    const { shares } = await testApp.duet<{ shares: { release_comment: string }[] }>(
      'referrals',
      'show',
      carl.id,
    )
    deepEqual(
      shares.map(({ release_comment }) => release_comment),
      ['one family'],
    )
  },
)

story(
  'staff who find no violation release the held share, and the next one is not held',
  async ({ testApp, boris }) => {
    const { carl, girl } = await oneDevice(testApp, boris)
    const dana = await openStaff(testApp, 'moderator')
    const path = `v2/manager/findings/${carl.id}` as const
    const { findings } = (await dana.get(path)) as FindingsCase
    deepEqual(
      findings.map(({ kind, other }) => [kind, other?.id]),
      [['referral', girl.id]],
    )
    const decision = { decision: 'no_violation', comment: 'one family' } as const
    await dana.post(`${path}/decide`, { until_finding: findings[0]!.id, ...decision })
    deepEqual((await auditedActs(testApp)).slice(0, 2).toSorted(), [
      'findings_decide',
      'referral_release',
    ])
    await payAfter(testApp, 0)
    equal(await balance(carl), '30')
    equal(await testApp.app.transact((tx) => findFlag(tx, carl.id, girl.id)), null)
  },
)

story(
  'an account that was used on the device of the inviter later earns the inviter nothing more',
  async ({ testApp, boris }) => {
    await testApp.duet('premium', boris.id, '--days', '90')
    const inviter = await join(testApp, { fingerprint: 'laptop', gender: 'girl' })
    await inviter.auth()
    const invited = await join(testApp, { code: String(inviter.user.ref_code), gender: 'girl' })
    await testApp.app.transact((tx) =>
      tx.publish('girl_earned', { girl_id: invited.id, guy_id: boris.id, units: unitsOf.coin }),
    )
    equal((await inviter.get('ref_stat')).held, '0.1')
    await invited.auth()
    await invited.act('D_INFO', { fingerprint: 'laptop' })
    await testApp.settle()
    await payAfter(testApp, 31)
    deepEqual([await balance(inviter), (await flagged(testApp))[0]?.flag], ['0', 'same_device'])
  },
)

/** The second book of an inviter, in units. */
interface Book {
  readonly inviter: TestUser
  readonly guest: TestUser
  readonly share: (cents: bigint) => bigint
  readonly bought: Bought[]
  balance: bigint
  owed: bigint
}

function writeReturn(book: Book, purchase: Bought, cents: bigint): void {
  const more = left(book, purchase)
  purchase.returned = cents > purchase.returned ? cents : purchase.returned
  if (!purchase.isPaid) return
  const back = more - left(book, purchase)
  const taken = back < book.balance ? back : book.balance
  book.balance -= taken
  book.owed += back - taken
}

function writePayments(book: Book, now: Temporal.Instant): void {
  for (const purchase of book.bought) {
    if (purchase.isPaid || Temporal.Instant.compare(purchase.due_at, now) > 0) continue
    purchase.isPaid = true
    const whole = left(book, purchase)
    const settled = whole < book.owed ? whole : book.owed
    book.owed -= settled
    book.balance += whole - settled
  }
}

/** The share without the part that was returned, which is rounded up. */
function left({ share }: Book, { cents, returned }: Bought): bigint {
  return share(cents) - (share(cents) * returned + cents - 1n) / cents
}

function writtenSums({ balance, owed, bought, ...book }: Book) {
  const earned = bought
    .filter(({ isPaid }) => isPaid)
    .reduce((sum, purchase) => sum + left({ balance, owed, bought, ...book }, purchase), 0n)
  return { units: balance, earned, owed }
}

story(
  'in any history an inviter has what was paid, less what was returned',
  async ({ testApp, anna, boris, carl, david }) => {
    const random = randomFrom(testSeed())
    const upTo = (most: number) => Math.floor(random() * (most + 1))
    await invite(testApp, anna, boris)
    await invite(testApp, carl, david)
    const empty = () => ({ bought: [], balance: 0n, owed: 0n })
    const ofMinutes = () => (15n * unitsOf.diamond) / 10n
    const pair: [Book, Book] = [
      { ...empty(), inviter: anna, guest: boris, share: shareOfGirl },
      { ...empty(), inviter: carl, guest: david, share: ofMinutes },
    ]
    for (let step = 0; step < STEPS; step += 1) {
      const book = pair[upTo(1)]!
      const { inviter, guest, bought } = book
      const kind = random()
      if (kind < 0.3) {
        const cents = BigInt(1 + upTo(9_999))
        const order_id = await buy(testApp, guest.id, null, cents)
        const due_at = testApp.clock.now().add({ hours: 24 * 30 })
        bought.push({ order_id, cents, due_at, returned: 0n, isPaid: false })
      } else if (kind < 0.6) {
        const purchase = bought[bought.length - 1 - upTo(2)]
        for (let parts = purchase ? 1 + upTo(2) : 0; parts > 0; parts -= 1) {
          const cents = BigInt(upTo(Number(purchase!.cents)))
          await giveBack(testApp, guest.id, purchase!.order_id, cents, purchase!.cents)
          writeReturn(book, purchase!, cents)
        }
      } else if (kind < 0.8) {
        await payAfter(testApp, upTo(60))
        for (const each of pair) writePayments(each, testApp.clock.now())
      } else book.balance -= await spendPart(testApp, inviter, Math.min(1, 2 * random()))
      for (const each of pair)
        deepEqual(await books(testApp, each.inviter), writtenSums(each), `step ${step}`)
    }
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
    const [share] = await flagged(testApp)
    equal(share?.flag, 'same_instrument')
    await testApp.duet('referrals', 'release', share!.share_id, '--comment', 'two brothers')
    await testApp.app.jobs.run('referrals pay')
    equal(await balance(boris), '1.5')
  },
)

story('a card of many accounts holds back no share', async ({ testApp, boris, carl }) => {
  await invite(testApp, boris, carl)
  const { guys } = await enterCrowd(testApp, { guys: 4, girls: 0, minutes: 0 })
  for (const { id } of [boris, ...guys, carl]) await buy(testApp, id, 'card')
  await payAfter(testApp, 31)
  deepEqual(await flagged(testApp), [])
  equal(await balance(boris), '1.5')
})

story(
  'girls who are paid out to one address bring each other nothing until staff release it',
  async ({ testApp, anna, clara, boris }) => {
    await invite(testApp, anna, clara)
    await testApp.app.db
      .updateTable('users')
      .set({ usdt_wallet: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' })
      .where('id', 'in', [anna.id, clara.id])
      .execute()
    await testApp.duet('grant', boris.id, 50, 'diamond', '--reason', 'test')
    await testApp.duet('premium', boris.id, '--days', '30')
    const { gifts } = await boris.get('gifts')
    const { gift_id } = gifts.find(({ price }) => price === '5')!
    await boris.act('GIVE_GIFT', { gift_id, recipient_id: clara.id, random_id: 'with' })
    await payAfter(testApp, 31)
    deepEqual([await balance(anna), (await flagged(testApp))[0]?.flag], ['0', 'same_wallet'])
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
    deepEqual(
      [stat.held, stat.history.items.map(({ what }) => what)],
      ['75', ['premium_earnings', 'registered']],
    )
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
