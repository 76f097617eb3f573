import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import type { GivenGift, ReceivedGift } from '@duet/protocol/contracts/gifts.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

async function grant(testApp: TestApp, guy: TestUser, minutes: number): Promise<void> {
  await testApp.duet('grant', guy.id, minutes, 'diamond', '--reason', 'test')
}

async function findPeony(user: TestUser) {
  const { gifts } = await user.get('gifts')
  return gifts.find(({ image }) => image.endsWith('/peony.svg'))!
}

async function give(from: TestUser, to: TestUser, more: object = {}) {
  const { gift_id } = await findPeony(from)
  const random_id = crypto.randomUUID()
  return from.act('GIVE_GIFT', { gift_id, recipient_id: to.id, random_id, ...more })
}

const coins = async (user: TestUser) => (await user.post('balance')).balance
const rows = async ({ app }: TestApp) =>
  (await app.db.selectFrom('given_gifts').select('id').execute()).length

story(
  'a gift of the operator has names in several languages, and is named in English elsewhere',
  async ({ boris, testApp }) => {
    const { rows: added } = await testApp.database.pool.query(
      "insert into gifts (word, price) values ('rose', 60000) returning gift_id",
    )
    const rose = added[0].gift_id as number
    const nameIn = async (lang: 'en' | 'de' | 'fr', id = rose) =>
      (await boris.get('gifts', { lang })).gifts.find(({ gift_id }) => gift_id === id)!.name
    equal(await nameIn('de'), 'rose')
    await testApp.duet('gifts', 'name', rose, 'en', 'Red rose')
    await testApp.duet('gifts', 'name', rose, 'de', 'Rote Rose')
    deepEqual(
      [await nameIn('en'), await nameIn('de'), await nameIn('fr')],
      ['Red rose', 'Rote Rose', 'Red rose'],
    )
    await testApp.duet('gifts', 'name', rose, 'de')
    equal(await nameIn('de'), 'Red rose')
    // A name of the operator replaces that of the locale files in its language only.
    const { gift_id: peony } = await findPeony(boris)
    await testApp.duet('gifts', 'name', peony, 'de', 'Pfingstrose')
    deepEqual([await nameIn('en', peony), await nameIn('de', peony)], ['Peony', 'Pfingstrose'])
    for (const words of [
      [rose, 'xx', 'Rose'],
      [rose, 'de', '<b>'],
      [999_999, 'de', 'Rose'],
    ])
      await rejects(testApp.duet('gifts', 'name', ...words))
  },
)

story(
  'anybody reads the gifts on sale, with names and prices',
  async ({ gina, boris, testApp }) => {
    const { gifts } = await gina.get('gifts')
    ok(gifts.length >= 12)
    deepEqual(gifts[0], {
      gift_id: gifts[0]!.gift_id,
      name: 'Letter',
      image: '/gifts/letter.svg',
      price: '2',
    })
    await testApp.duet('gifts', 'set', gifts[0]!.gift_id, '--sale', 'off')
    await testApp.duet('gifts', 'set', gifts[1]!.gift_id, '--price', '3.5')
    const [first] = (await boris.get('gifts')).gifts
    deepEqual([first!.name, first!.price], ['Coffee', '3.5'])
    await boris.isRefused('not_found', () =>
      boris.act('GIVE_GIFT', { gift_id: gifts[0]!.gift_id, recipient_id: 1, random_id: 'a' }),
    )
  },
)

story(
  'a gift takes its price, gives the girl her coins, and stands in the dialog and in both lists',
  async ({ testApp, boris, anna }) => {
    await grant(testApp, boris, 20)
    const { balance, gift } = await give(boris, anna)
    deepEqual([balance, gift.name, gift.price], ['15', 'Peony', '5'])
    equal(await coins(anna), '375')
    const got = await anna.heard('got_gift', { user_id: boris.id, reward: '375' }, { times: 1 })
    await boris.heard('give_gift_success', { recipient_id: anna.id, balance: '15' }, { times: 1 })
    const { dialogs } = await anna.act('GET_DIALOGS', {})
    const { last_message, dialog_id } = dialogs[0]!
    deepEqual([dialog_id, last_message?.type, last_message?.reward], [got.dialog_id, 'gift', '375'])
    const { messages } = await boris.act('GET_DIALOG_MESSAGES', { dialogId: dialog_id })
    const his = messages.at(-1)!
    equal(his.reward, undefined)
    deepEqual(his.type === 'gift' && his.gift?.gift_id, gift.gift_id)
    const received = await anna.get('girl_gifts')
    const [hers] = received.items as ReceivedGift[]
    deepEqual([hers!.nick, hers!.reward, received.sum, received.total], ['Boris', '375', '375', 1])
    const given = await boris.get('girl_gifts')
    const [own] = given.items as GivenGift[]
    deepEqual([own!.user_interlocutor?.id, own!.price, given.sum], [anna.id, '5', '5'])
  },
)

story(
  'the same random_id gives one gift, and no other gift',
  async ({ testApp, boris, anna, vera }) => {
    await grant(testApp, boris, 20)
    const random_id = 'once'
    for (let time = 0; time < 3; time += 1)
      equal((await give(boris, anna, { random_id })).balance, '15')
    await boris.isRefused('key_reused', () => give(boris, vera, { random_id }))
    equal(await coins(anna), '375')
    await anna.heard('got_gift', {}, { times: 1 })
  },
)

story(
  'a hundred gifts at once with the balance for one give one',
  async ({ boris, anna, testApp }) => {
    await grant(testApp, boris, 5)
    const { gift_id } = await findPeony(boris)
    const answers = await together(100, (n) =>
      boris.tryAct('GIVE_GIFT', { gift_id, recipient_id: anna.id, random_id: `gift ${n}` }),
    )
    const refusals = answers.flatMap((answer) => ('error' in answer ? [answer.error.name] : []))
    equal(refusals.length, 99)
    deepEqual(
      refusals.filter((name) => name !== 'no_balance' && name !== 'too_many'),
      [],
    )
    equal(await rows(testApp), 1)
    deepEqual([await coins(boris), await coins(anna)], ['0', '375'])
  },
)

story(
  'no gift to oneself, to a guy, after a block, to a girl who is barred, or in a call and dialog of others',
  async ({ boris, anna, carl, vera, testApp }) => {
    await grant(testApp, boris, 50)
    await grant(testApp, carl, 50)
    const { dialog_id } = await (async () => {
      await give(carl, vera)
      return vera.heard('got_gift')
    })()
    for (const other of [boris, carl]) await boris.isRefused('not_found', () => give(boris, other))
    await boris.isRefused('not_found', () => give(boris, anna, { session_id: 77 }))
    await boris.isRefused('not_found', () => give(boris, anna, { dialog_id }))
    await anna.isRefused('role_forbidden', () => give(anna, vera))
    const why = ['--reason', 'other', '--comment', 'You asked for them.', '--as', 'olga'] as const
    await testApp.duet('gifts', 'forbid', anna.id, ...why)
    await anna.heard('statement', { kind: 'gifts', comment: 'You asked for them.' })
    await boris.isRefused('no_gifts', () => give(boris, anna))
    equal((await anna.heard('user_info')).user.can_accept_gifts, false)
    await testApp.duet('gifts', 'permit', anna.id)
    const { items } = await anna.get('statements')
    equal(typeof items[0]!.lifted_at, 'string')
    await anna.act('BLOCK_USER', { user_id: boris.id })
    await boris.isRefused('blocked', () => give(boris, anna))
    equal(await coins(boris), '50')
    equal(await rows(testApp), 1)
  },
)

story(
  'a gift whose price has changed since it was shown is refused',
  async ({ boris, anna, testApp }) => {
    await grant(testApp, boris, 20)
    const { gift_id } = await findPeony(boris)
    await testApp.duet('gifts', 'set', gift_id, '--price', '7')
    await boris.isRefused('invalid', () => give(boris, anna, { price: '5' }))
    equal((await give(boris, anna, { price: '7' })).balance, '13')
  },
)

story('no number that a page invents gives a gift', async ({ boris, anna, testApp }) => {
  await grant(testApp, boris, 20)
  const wrong = ['-5', '1e3', 'NaN', 'Infinity', '0x5', '5,0', ' 5', '5.', '', -5, 1e308, null]
  for (const price of [...wrong, '5.000000001', '4.99'])
    await boris.isRefused('invalid', () => give(boris, anna, { price }))
  for (const gift_id of [-1, 0, 1.5, 1e308, '1', '1e0', null])
    await boris.isRefused('invalid', () => give(boris, anna, { gift_id }))
  await boris.isRefused('not_found', () => give(boris, anna, { gift_id: 2 ** 40 }))
  deepEqual([await coins(boris), await coins(anna), await rows(testApp)], ['20', '0', 0])
})

story('a guy without the balance learns what is missing', async ({ boris, anna, testApp }) => {
  await grant(testApp, boris, 2)
  const { missing } = await boris.isRefused('no_balance', () => give(boris, anna))
  equal(missing, '3')
  equal(await rows(testApp), 0)
  deepEqual((await boris.act('GET_DIALOGS', {})).dialogs, [])
})

story('a gift in a call ends its quiet time', async ({ testApp, boris, anna }) => {
  await grant(testApp, boris, 50)
  const call = await inCall(testApp, { guy: boris, girl: anna })
  await call.connect()
  await call.talk(80)
  await give(boris, anna, { session_id: call.session_id })
  await anna.heard('got_gift', { session_id: call.session_id })
  await call.talk(50)
  await boris.notHeard('session_hint')
  await call.talk(20)
  await boris.heard('session_hint')
})

story(
  'the sums of a guy and of two girls equal their gifts',
  async ({ testApp, boris, anna, vera }) => {
    await grant(testApp, boris, 40)
    await together(6, (n) => give(boris, n % 3 === 0 ? vera : anna, { random_id: `gift ${n}` }))
    await together(6, (n) => give(boris, n % 3 === 0 ? vera : anna, { random_id: `gift ${n}` }))
    const sums = await Promise.all(
      [boris, anna, vera].map(async (one) => {
        const { sum, total, items } = await one.get('girl_gifts')
        return [sum, total, items.length]
      }),
    )
    deepEqual(sums, [
      ['30', 6, 6],
      ['1500', 4, 4],
      ['750', 2, 2],
    ])
  },
)
