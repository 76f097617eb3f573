import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after } from 'node:test'
import type { DateMinutes, VirtualDate } from '@duet/protocol'
import { joinCall } from '@duet/testkit/calls/in-call.ts'
import { loseAnswerOfCommit } from '@duet/testkit/lost-answers.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { openPushService } from '@duet/testkit/stand-ins/push-service.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { WireRefused, TestUser } from '@duet/testkit/test-user.ts'
import { createWebPush, newPushKeys } from '../../integrations/push/web-push.ts'
import { openReservedCall } from '../calls/index.ts'
import { balances, ledgerCheck, openHold } from '../ledger/index.ts'

const service = await openPushService()
after(() => service.close())
const push = createWebPush({
  keys: newPushKeys(),
  subject: 'mailto:operator@duet.example',
  hosts: [service.host],
  agent: service.agent,
})

const ALL_WEEK = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
  weekday,
  from_minute: 0,
  until_minute: 1440,
}))

async function give(testApp: TestApp, guy: TestUser, minutes: number | string): Promise<void> {
  await testApp.duet('grant', guy.id, minutes, 'diamond', '--reason', 'test')
}

/** The guy has money and knows the girl, who is open all week. */
async function known(testApp: TestApp, guy: TestUser, girl: TestUser, minutes = 100) {
  await give(testApp, guy, minutes)
  await guy.act('ADD_FAVOURITE', { user_id: girl.id })
  await girl.post('dates/hours', { zone: 'Europe/Berlin', hours: ALL_WEEK, version: 0 })
}

const inHours = ({ clock }: TestApp, hours: number) =>
  clock
    .now()
    .add({ minutes: Math.round(hours * 60) })
    .toString()

async function ask(
  guy: TestUser,
  girl: TestUser,
  at: string,
  minutes: DateMinutes = 15,
  key?: string,
): Promise<VirtualDate> {
  const body = { user_id: girl.id, at, minutes }
  return (await guy.post('dates', body, key ? { 'idempotency-key': key } : {})).date
}

type Press = 'accept' | 'decline' | 'cancel' | 'start'
async function act(user: TestUser, { id }: { id: number }, press: Press): Promise<VirtualDate> {
  return (await user.post(`dates/${id}/${press}`)).date as VirtualDate
}

/** Accepted, and it is its time. */
async function itIsTime(
  testApp: TestApp,
  guy: TestUser,
  girl: TestUser,
  minutes: DateMinutes = 15,
) {
  await known(testApp, guy, girl)
  const date = await ask(guy, girl, inHours(testApp, 2), minutes)
  await act(girl, date, 'accept')
  await testApp.leap('2 h')
  return date
}

const state = async (user: TestUser, { id }: { id: number }) =>
  (await user.get('dates')).items.find((one) => one.id === id)?.state
/** His diamonds, what of them is held, and her coins. */
async function money({ app }: TestApp, guy: TestUser, girl: TestUser) {
  const his = await balances(app.db, guy.id)
  const hers = await balances(app.db, girl.id)
  ok((await ledgerCheck(app.db)).ok)
  return [his.balance, Number(his.held_units) / 60_000, hers.balance]
}
const readFields = (refused: Record<string, unknown>) =>
  (refused.fields as { path: string }[]).map(({ path }) => path)

story(
  'a date is asked for, held, accepted, started by both, paid from its hold and done',
  async ({ testApp, boris, anna }) => {
    await known(testApp, boris, anna, 30)
    const date = await ask(boris, anna, inHours(testApp, 2))
    deepEqual(
      [date.state, date.price, date.hold, date.late_cost, date.user_interlocutor?.nick],
      ['requested', '1.5', '22.5', '4.5', 'Anna'],
    )
    const hers = (await anna.heard('date_update', {}, { times: 1 })).date
    deepEqual(
      [hers.id, hers.state, hers.price, hers.hold, hers.user_interlocutor?.nick],
      [date.id, 'requested', '125', undefined, 'Boris'],
    )
    deepEqual(await money(testApp, boris, anna), ['30', 22.5, '0'])
    for (let time = 0; time < 2; time += 1)
      equal((await act(anna, date, 'accept')).state, 'accepted')
    await boris.isRefused('pair_over', () => act(boris, date, 'start'))
    await testApp.leap('2 h')
    for (const one of [boris, anna]) await one.openSignal()
    boris.forget()
    deepEqual(
      [(await act(boris, date, 'start')).pressed, (await act(boris, date, 'start')).state],
      [true, 'accepted'],
    )
    await testApp.settle()
    const { date: shown } = anna.all('date_update').at(-1)!.payload as { date: VirtualDate }
    deepEqual([shown.waiting, shown.pressed], [true, false])
    const tabs = await together(3, () => act(anna, date, 'start'))
    deepEqual(
      [...new Set(tabs.map(({ state: one, session_id }) => `${one} ${session_id}`))],
      [`started ${tabs[0]!.session_id}`],
    )
    const call = await joinCall(testApp, { guy: boris, girl: anna })
    equal((await act(boris, date, 'start')).session_id, call.session_id)
    await call.connect()
    await call.talk(100)
    const receipt = await boris.act('BREAK_SESSION', { session_id: call.session_id })
    deepEqual(
      [receipt.free_seconds, receipt.paid_seconds, receipt.spent, receipt.balance],
      [0, 100, '2.5', '27.5'],
    )
    equal(await state(boris, date), 'done')
    equal((await money(testApp, boris, anna))[1], 0)
    equal((await anna.get('dates')).items[0]!.session_id, call.session_id)
  },
)

story(
  'after the reserved seconds an ordinary private call goes on, and ends when the money does',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, '2.4')
    for (const one of [boris, anna]) await one.openSignal()
    await testApp.app.transact(async (tx) => {
      const cause = { kind: 'date', id: 1 }
      const hold = {
        key: 'date:1:hold',
        user_id: boris.id,
        asset: 'diamond',
        what: 'date',
      } as const
      const { hold_id, amount } = await openHold(tx, { ...hold, amount: 90_000n, cause })
      const reserved = { seconds: 60, price_private: 90_000n, earn_private: 12_500_000_000n }
      const pair = { guy_id: boris.id, girl_id: anna.id }
      await openReservedCall(tx, pair, { ...reserved, hold: { hold_id, units: amount } })
    })
    // A price that changes later does not change the call.
    await testApp.setting('price_private', '3')
    const call = await joinCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    deepEqual((await money(testApp, boris, anna)).slice(0, 2), ['2.4', 1.5])
    await call.talk(100)
    const { reason, paid_seconds, spent } = await boris.heard('close_session')
    deepEqual([reason, paid_seconds, spent], ['no_balance', 96, '2.4'])
    deepEqual(await money(testApp, boris, anna), ['0', 0, '200'])
  },
)

story(
  'declined, unanswered, cancelled early and missed by her: the whole hold goes back',
  async ({ testApp, boris, anna }) => {
    await known(testApp, boris, anna, 30)
    const declined = await ask(boris, anna, inHours(testApp, 5))
    for (let time = 0; time < 2; time += 1) await act(anna, declined, 'decline')
    await anna.isRefused('pair_over', () => act(anna, declined, 'accept'))
    deepEqual(await money(testApp, boris, anna), ['30', 0, '0'])
    const unanswered = await ask(boris, anna, inHours(testApp, 1))
    await testApp.leap('50 min')
    equal(await state(boris, unanswered), 'expired')
    deepEqual(await money(testApp, boris, anna), ['30', 0, '0'])
    const cancelled = await ask(boris, anna, inHours(testApp, 5))
    await act(anna, cancelled, 'accept')
    for (let time = 0; time < 2; time += 1)
      equal((await act(boris, cancelled, 'cancel')).cancelled_by, 'you')
    equal(
      (await anna.get('dates')).items.find(({ id }) => id === cancelled.id)?.cancelled_by,
      'other',
    )
    deepEqual(await money(testApp, boris, anna), ['30', 0, '0'])
    const missed = await ask(boris, anna, inHours(testApp, 1))
    await act(anna, missed, 'accept')
    await testApp.leap('1 h')
    await act(boris, missed, 'start')
    await testApp.leap('10 min')
    await boris.isRefused('pair_over', () => act(boris, missed, 'start'))
    equal(await state(boris, missed), 'she_missed')
    deepEqual(await money(testApp, boris, anna), ['30', 0, '0'])
    const { items } = await boris.get('notices')
    const sentences = items.flatMap(({ kind, facts }) => (kind === 'date' ? [facts.what] : []))
    deepEqual(sentences, ['she_missed', 'soon', 'accepted', 'accepted', 'expired', 'declined'])
  },
)

story(
  'a date that he missed costs him a fifth of the hold and earns her a fifth of the minutes',
  async ({ testApp, boris, anna }) => {
    const date = await itIsTime(testApp, boris, anna, 60)
    await act(anna, date, 'start')
    await testApp.leap('10 min')
    const [his] = (await boris.get('dates')).items
    const [hers] = (await anna.get('dates')).items
    deepEqual([his!.state, his!.kept, hers!.earned], ['he_missed', '18', '1500'])
    deepEqual(await money(testApp, boris, anna), ['82', 0, '1500'])
    await boris.heard('balance', { balance: '82' })
    const { rows } = await testApp.database.pool.query(
      "select what, cause, count(*)::integer as n from transfers where cause = 'date' group by 1, 2",
    )
    deepEqual(rows, [{ what: 'date', cause: 'date', n: 2 }])
    const facts = await Promise.all(
      [boris, anna].map(async (one) => (await one.get('notices')).items[0]!.facts.what),
    )
    deepEqual(facts, ['you_missed', 'he_missed'])
  },
)

story(
  'his cancellation in the last hour costs as much as a missed date, hers nothing',
  async ({ testApp, boris, anna }) => {
    await known(testApp, boris, anna)
    for (const [user, expected] of [
      [anna, ['100', 0, '0']],
      [boris, ['91', 0, '750']],
    ] as const) {
      const date = await ask(boris, anna, inHours(testApp, 1.5), 30)
      await act(anna, date, 'accept')
      await testApp.leap('30 min')
      equal((await act(user, date, 'cancel')).state, 'cancelled')
      deepEqual(await money(testApp, boris, anna), expected)
    }
  },
)

story(
  'only known girls, open hours and free times are accepted, each with its refusal',
  async ({ testApp, boris, carl, anna, vera, nina }) => {
    const tomorrow = inHours(testApp, 24)
    await give(testApp, boris, 100)
    await anna.post('dates/hours', { zone: 'Europe/Berlin', hours: ALL_WEEK, version: 0 })
    await boris.isRefused('premium_only', () => ask(boris, anna, tomorrow))
    await boris.isRefused('premium_only', () => boris.get('dates/hours', { user_id: anna.id }))
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    for (const user of [nina, carl, boris])
      await boris.isRefused('not_found', () => ask(boris, user, tomorrow))
    await anna.isRefused('role_forbidden', () => ask(anna, boris, tomorrow))
    for (const at of [
      inHours(testApp, 0),
      inHours(testApp, -1),
      inHours(testApp, 24 * 61),
      '2030-02-30T10:00:00Z',
      'tomorrow',
    ])
      deepEqual(readFields(await boris.isRefused('invalid', () => ask(boris, anna, at))), ['at'])
    const wrong = await boris.isRefused('invalid', () =>
      ask(boris, anna, tomorrow, 20 as DateMinutes),
    )
    deepEqual(readFields(wrong), ['minutes'])
    await ask(boris, anna, tomorrow, 30)
    await carl.act('ADD_FAVOURITE', { user_id: anna.id })
    await carl.isRefused('in_call', () => ask(carl, anna, inHours(testApp, 24.25)))
    const { missing } = await carl.isRefused('no_balance', () =>
      ask(carl, anna, inHours(testApp, 24.5)),
    )
    equal(missing, '22.5')
    await give(testApp, carl, 22.5)
    equal((await ask(carl, anna, inHours(testApp, 24.5))).state, 'requested')
    // A dialog is enough, and his own date is in the way.
    await dialogBetween(vera, boris).then((id) => writeMessage(vera, id, 'Hello'))
    await vera.post('dates/hours', { zone: 'Asia/Tokyo', hours: ALL_WEEK, version: 0 })
    deepEqual(await boris.isRefused('in_call', () => ask(boris, vera, tomorrow)), { who: 'you' })
    await vera.act('UPDATE_PROFILE', { premium_calls_only: true })
    await boris.isRefused('premium_only', () => ask(boris, vera, inHours(testApp, 30)))
    const page = await boris.get('dates/hours', { user_id: anna.id })
    deepEqual(
      page.taken.map(({ at, minutes }) => [Date.parse(at) - Date.parse(tomorrow), minutes]),
      [
        [0, 30],
        [30 * 60_000, 15],
      ],
    )
    equal(page.open.length, 2)
    equal(page.user_interlocutor?.nick, 'Anna')
    equal((await anna.get('dates/hours')).user_interlocutor, undefined)
    await anna.isRefused('not_found', () => anna.get('dates/hours', { user_id: vera.id }))
  },
)

story(
  'an hour that summer time skips is refused, and so are quiet hours and other days',
  async ({ testApp, boris, anna }) => {
    await known(testApp, boris, anna, 300)
    await testApp.setting('virtual_date_ahead', '365')
    const hours = [{ weekday: 7, from_minute: 90, until_minute: 240 }]
    await anna.post('dates/hours', { zone: 'Europe/Berlin', hours, version: 1 })
    // On 31 March 2030 her clock goes from 01:59 to 03:00, at 01:00 UTC.
    const refused = async (at: string, minutes: DateMinutes = 15) =>
      deepEqual(readFields(await boris.isRefused('invalid', () => ask(boris, anna, at, minutes))), [
        'at',
      ])
    await refused('2030-03-31T00:15:00Z')
    await refused('2030-03-31T01:45:00Z', 30)
    await refused('2030-03-30T00:30:00Z')
    // In winter 03:30 is at 02:30 UTC, in summer at 01:30 UTC.
    await ask(boris, anna, '2030-03-24T02:30:00Z', 30)
    await refused('2030-03-31T02:30:00Z', 30)
    await ask(boris, anna, '2030-03-31T01:30:00Z', 30)
    // On 27 October 2030 her clock shows 02:00 to 03:00 twice.
    for (const at of ['2030-10-27T00:30:00Z', '2030-10-27T01:30:00Z'])
      await act(boris, await ask(boris, anna, at, 15), 'cancel')
    await anna.act('UPDATE_PROFILE', {
      quiet_hours: { from: '01:00', to: '02:00', zone: 'Europe/Berlin' },
    })
    await refused('2030-03-17T00:30:00Z')
    for (const [sent, path] of [
      [{ zone: 'Moon/Base', hours }, 'zone'],
      [
        { zone: 'UTC', hours: [{ weekday: 7, from_minute: 90, until_minute: 90 }] },
        'hours.0.until_minute',
      ],
      [
        { zone: 'UTC', hours: [{ weekday: 8, from_minute: 0, until_minute: 90 }] },
        'hours.0.weekday',
      ],
    ] as const)
      deepEqual(
        readFields(
          await anna.isRefused('invalid', () => anna.post('dates/hours', { ...sent, version: 2 })),
        ),
        [path],
      )
  },
)

story(
  'a week is saved only in place of the week that its page has shown, and a repeated save is harmless',
  async ({ anna }) => {
    const week = (weekday: number, version: number) => ({
      zone: 'Europe/Berlin',
      hours: [{ weekday, from_minute: 600, until_minute: 720 }],
      version,
    })
    const stored = async () => {
      const { zone, hours, version } = await anna.get('dates/hours')
      return { zone, hours, version }
    }
    equal((await stored()).version, 0)
    deepEqual(await anna.post('dates/hours', week(1, 0)), week(1, 1))
    deepEqual(await anna.post('dates/hours', week(1, 0)), week(1, 1))
    deepEqual(await anna.post('dates/hours', week(2, 1)), week(2, 2))
    for (const version of [0, 1, 3, Number.MAX_SAFE_INTEGER - 1])
      await anna.isRefused('changed_elsewhere', () => anna.post('dates/hours', week(3, version)))
    deepEqual(await stored(), week(2, 2))
    const saves = await Promise.allSettled(
      [3, 4, 5].map((weekday) => anna.post('dates/hours', week(weekday, 2))),
    )
    equal(saves.filter(({ status }) => status === 'fulfilled').length, 1)
    equal((await stored()).version, 3)
  },
)

story(
  'of twenty guys who ask for the same time at once one gets it, and no other money is held',
  async ({ testApp, anna }) => {
    const guys = await together(20, async (index) => {
      const guy = await addPerson(testApp, 'boris', `guy${index}@duet.example`)
      await known(testApp, guy, anna, 30)
      return guy
    })
    const at = inHours(testApp, 3)
    const outcomes = await together(20, (index) =>
      ask(guys[index]!, anna, at).then(
        ({ state: one }) => one as string,
        (error: unknown) => (error as WireRefused).refusal as string,
      ),
    )
    deepEqual(Map.groupBy(outcomes, (one) => one).get('requested')?.length, 1)
    equal(outcomes.filter((one) => one === 'in_call').length, 19)
    const held = await Promise.all(guys.map((guy) => balances(testApp.app.db, guy.id)))
    equal(
      held.reduce((sum, { held_units }) => sum + held_units, 0n),
      1_350_000n,
    )
    equal((await anna.get('dates')).items.length, 1)
    ok((await ledgerCheck(testApp.app.db)).ok)
  },
)

story(
  'the same request sent many times at once is one date, and a guy has a limited number of dates',
  async ({ testApp, boris, anna }) => {
    await known(testApp, boris, anna)
    const at = inHours(testApp, 3)
    const key = crypto.randomUUID()
    const answers = await together(5, () => ask(boris, anna, at, 15, key))
    equal(new Set(answers.map(({ id }) => id)).size, 1)
    deepEqual((await money(testApp, boris, anna))[1], 22.5)
    const parallel = await together(5, () =>
      ask(boris, anna, inHours(testApp, 5)).then(
        () => 'asked',
        () => 'refused',
      ),
    )
    deepEqual(parallel.toSorted(), ['asked', 'refused', 'refused', 'refused', 'refused'])
    await testApp.setting('virtual_dates_open', '2')
    await boris.isRefused('too_many', () => ask(boris, anna, inHours(testApp, 9)))
  },
)

story(
  'two users have a limited number of open dates with each other, also asked at once',
  async ({ testApp, boris, anna, vera }) => {
    for (const girl of [anna, vera]) await known(testApp, boris, girl, 300)
    const outcomes = await together(5, (index) =>
      ask(boris, anna, inHours(testApp, 3 + index)).then(
        () => 'asked',
        (error: unknown) => (error as WireRefused).refusal as string,
      ),
    )
    deepEqual(outcomes.toSorted(), ['asked', 'asked', 'asked', 'too_many', 'too_many'])
    await ask(boris, vera, inHours(testApp, 9))
    const [first] = (await boris.get('dates')).items
    await act(anna, first!, 'decline')
    equal((await ask(boris, anna, inHours(testApp, 10))).state, 'requested')
  },
)

story.with({ env: { TRUSTED_PROXIES: '1', COUNTRY_HEADER: 'X-Country' } })(
  'a girl who hides from the country of the request is not shown, and takes no date from it',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('age_proof_countries', 'none')
    const from = (country: string) =>
      (boris.proxy_headers = { 'x-forwarded-for': '203.0.113.7', 'x-country': country })
    from('FR')
    await boris.drop()
    await boris.comeBack()
    await known(testApp, boris, anna)
    const date = await ask(boris, anna, inHours(testApp, 3))
    await anna.act('UPDATE_PROFILE', { hide_countries: ['DE'] })
    const shown = async () => (await boris.get('dates')).items[0]!.user_interlocutor?.id
    equal(await shown(), anna.id)
    from('DE')
    equal(await shown(), undefined)
    await boris.isRefused('not_found', () => boris.get('dates/hours', { user_id: anna.id }))
    await boris.isRefused('not_found', () => ask(boris, anna, inHours(testApp, 5)))
    equal((await act(boris, date, 'cancel')).user_interlocutor, undefined)
  },
)

story(
  'a ban or a suspension in the last hour gives him the whole hold back, and she earns nothing',
  async ({ testApp, boris, carl, anna }) => {
    for (const guy of [boris, carl]) await known(testApp, guy, anna)
    const suspended = await ask(boris, anna, inHours(testApp, 1.5))
    const banned = await ask(carl, anna, inHours(testApp, 2.5))
    for (const date of [suspended, banned]) await act(anna, date, 'accept')
    const dialogId = await dialogBetween(anna, boris)
    for (const one of [anna, boris]) await writeMessage(one, dialogId, 'Hello')
    await testApp.leap('1 h')
    await anna.act('TO_COMPLAIN', { reason: 'child', user_id: boris.id, comment: '' })
    equal((await anna.get('dates')).items.find(({ id }) => id === suspended.id)!.state, 'cancelled')
    deepEqual(await money(testApp, boris, anna), ['100', 0, '0'])
    await testApp.leap('1 h')
    await testApp.duet('ban', carl.id, '--reason', 'other', '--comment', 'test')
    deepEqual(await money(testApp, carl, anna), ['100', 0, '0'])
  },
)

story(
  'a block, a ban, a deletion and a hidden country cancel dates, and his late block costs as a cancellation',
  async ({ testApp, boris, carl, anna, vera }) => {
    for (const girl of [anna, vera]) await known(testApp, boris, girl)
    await known(testApp, carl, anna)
    const date = await ask(boris, anna, inHours(testApp, 3))
    await act(anna, date, 'accept')
    await testApp.leap('150 min')
    await boris.act('BLOCK_USER', { user_id: anna.id })
    equal(await state(boris, date), 'cancelled')
    const [hers] = (await anna.get('dates')).items
    deepEqual([hers!.state, hers!.user_interlocutor, hers!.earned], ['cancelled', undefined, '375'])
    deepEqual(await money(testApp, boris, anna), ['195.5', 0, '375'])
    equal((await anna.get('notices')).items[0]!.facts.what, 'cancelled')
    await boris.isRefused('blocked', () => ask(boris, anna, inHours(testApp, 3)))
    await boris.isRefused('blocked', () => boris.get('dates/hours', { user_id: anna.id }))
    const second = await ask(boris, vera, inHours(testApp, 0.9))
    await act(vera, second, 'accept')
    await testApp.duet('ban', vera.id, '--reason', 'other', '--comment', 'test')
    equal(await state(boris, second), 'cancelled')
    deepEqual((await money(testApp, boris, vera)).slice(0, 2), ['195.5', 0])
    equal((await boris.get('notices')).items[0]!.facts.what, 'off')
    const hidden = await ask(carl, anna, inHours(testApp, 4))
    const { pool } = testApp.database
    await pool.query("update users set country = 'JP' where id = $1", [carl.id])
    await anna.act('UPDATE_PROFILE', { hide_countries: ['JP'] })
    equal(await state(carl, hidden), 'cancelled')
    await carl.isRefused('not_found', () => ask(carl, anna, inHours(testApp, 5)))
    await anna.act('UPDATE_PROFILE', { hide_countries: [] })
    const third = await ask(carl, anna, inHours(testApp, 5))
    await testApp.app.transact((tx) => tx.publish('account_deleted', { user_id: anna.id }))
    equal(await state(carl, third), 'cancelled')
    deepEqual((await money(testApp, carl, anna)).slice(0, 2), ['100', 0])
  },
)

story(
  'a date of another server process is accepted, and cancelled by a block',
  async ({ testApp, boris, anna }) => {
    await known(testApp, boris, anna)
    const { db, clock } = testApp.app
    const lease_until = clock.now().add({ hours: 9 })
    const owner = { owner_id: 99, started_at: clock.now(), lease_until }
    await db.insertInto('process_owners').values(owner).execute()
    const date = await ask(boris, anna, inHours(testApp, 3))
    const goAway = () =>
      db
        .updateTable('virtual_dates')
        .set(({ eb }) => ({ owner_id: 99, fence: eb('fence', '+', 1) }))
        .execute()
    await goAway()
    equal((await act(anna, date, 'accept')).state, 'accepted')
    await goAway()
    await anna.act('BLOCK_USER', { user_id: boris.id })
    equal(await state(anna, date), 'cancelled')
    deepEqual((await money(testApp, boris, anna)).slice(0, 2), ['100', 0])
  },
)

story(
  'a date that began in another call is not missed: who is there presses again later',
  async ({ testApp, boris, carl, anna }) => {
    const date = await itIsTime(testApp, boris, anna)
    await act(anna, date, 'start')
    for (const one of [carl, anna]) await one.openSignal()
    await testApp.app.transact((tx) =>
      tx.publish('pair_accepted', {
        pair_id: crypto.randomUUID(),
        kind: 'random',
        guy_id: carl.id,
        girl_id: anna.id,
        guy_from_search: false,
        girl_from_search: false,
        free_start: true,
      }),
    )
    const { session } = await anna.heard('new_session')
    deepEqual(await anna.isRefused('in_call', () => act(anna, date, 'start')), { who: 'you' })
    const his = await act(boris, date, 'start')
    deepEqual([his.state, his.pressed, his.waiting], ['accepted', true, false])
    await anna.act('BREAK_SESSION', { session_id: session.id })
    await testApp.settle()
    equal((await act(anna, date, 'start')).state, 'started')
  },
)

story(
  'a date whose call never connected can be started again, and pays from its hold',
  async ({ testApp, boris, anna }) => {
    const date = await itIsTime(testApp, boris, anna)
    for (const one of [boris, anna]) await one.openSignal()
    const open = async () => {
      await act(anna, date, 'start')
      return act(boris, date, 'start')
    }
    const first = await open()
    await testApp.leap('20 s')
    equal((await boris.heard('close_session')).reason, 'not_connected')
    deepEqual(await money(testApp, boris, anna), ['100', 22.5, '0'])
    const shown = (await boris.get('dates')).items[0]!
    deepEqual([shown.state, shown.pressed, shown.session_id], ['accepted', false, undefined])
    for (const one of [boris, anna]) equal((await one.get('notices')).items[0]!.facts.what, 'again')
    for (const one of [boris, anna]) one.forget()
    const second = await open()
    ok(second.session_id! > first.session_id!)
    const call = await joinCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(100)
    await boris.act('BREAK_SESSION', { session_id: call.session_id })
    equal(await state(boris, date), 'done')
    deepEqual((await money(testApp, boris, anna)).slice(0, 2), ['97.5', 0])
  },
)

story(
  'a call that never connects in the last seconds cancels the date, and a call that he ends is the end',
  async ({ testApp, boris, anna }) => {
    for (const [minutes, press, expected] of [
      ['595 s', undefined, 'cancelled'],
      ['1 min', 'BREAK_SESSION', 'done'],
    ] as const) {
      const date = await itIsTime(testApp, boris, anna)
      await testApp.leap(minutes)
      for (const one of [boris, anna]) await one.openSignal()
      await act(anna, date, 'start')
      const { session_id } = await act(boris, date, 'start')
      if (press) await boris.act(press, { session_id: session_id! })
      await testApp.leap('20 s')
      equal(await state(boris, date), expected)
      equal((await money(testApp, boris, anna))[1], 0)
    }
  },
)

story(
  'a date that another server process holds ends with its call',
  async ({ testApp, boris, anna }) => {
    const date = await itIsTime(testApp, boris, anna)
    for (const one of [boris, anna]) await one.openSignal()
    await act(anna, date, 'start')
    const { session_id } = await act(boris, date, 'start')
    const { pool } = testApp.database
    const until = testApp.clock.now().add({ minutes: 2 }).toString()
    const { rows } = await pool.query(
      "insert into process_owners values (nextval('process_owner_ids'), $1, $1) returning owner_id",
      [until],
    )
    await pool.query('update virtual_dates set owner_id = $1, fence = fence + 1', [
      rows[0].owner_id,
    ])
    await boris.act('BREAK_SESSION', { session_id: session_id! })
    equal(await state(boris, date), 'done')
  },
)

story(
  'a girl who pressed and closed her page does not make him pay',
  async ({ testApp, boris, anna }) => {
    const date = await itIsTime(testApp, boris, anna)
    await act(anna, date, 'start')
    await anna.drop()
    await testApp.advance('1 min')
    equal((await act(boris, date, 'start')).waiting, false)
    await testApp.leap('10 min')
    equal(await state(boris, date), 'she_missed')
  },
)

story(
  'dates survive crashes: their reminders, the press, the call and the lost answer of its opening',
  async ({ testApp, boris, anna }) => {
    await known(testApp, boris, anna)
    const date = await ask(boris, anna, inHours(testApp, 2))
    await testApp.crash()
    for (const one of [boris, anna]) await one.comeBack()
    await act(anna, date, 'accept')
    await testApp.leap('2 h')
    await act(anna, date, 'start')
    await testApp.crash()
    for (const one of [boris, anna]) {
      await one.comeBack()
      await one.openSignal()
    }
    loseAnswerOfCommit(testApp, /insert into "video_sessions"/)
    await act(boris, date, 'start').catch(() => undefined)
    await testApp.settle()
    const { session_id, state: shown } = await act(boris, date, 'start')
    equal(shown, 'started')
    equal((await act(anna, date, 'start')).session_id, session_id)
    const call = await joinCall(testApp, { guy: boris, girl: anna })
    equal(call.session_id, session_id)
    await call.connect()
    // The last second that a tick stored is the twenty-eighth.
    await call.talk(30)
    await testApp.crash()
    await testApp.advance('15 s')
    for (const one of [boris, anna]) await one.comeBack()
    equal(await state(boris, date), 'done')
    deepEqual((await money(testApp, boris, anna)).slice(1), [0, '58.33333333'])
  },
)

story.with({ push })(
  'both are reminded a day and ten minutes before, each once, by bell, mail and push',
  async ({ testApp, boris, anna }) => {
    await known(testApp, boris, anna)
    const address = await testApp.confirmEmail(boris)
    await boris.act('UPDATE_PROFILE', { noty_email: true })
    const browser = service.browser()
    await boris.act('UPDATE_PUSH', { subscription: browser.subscription })
    const date = await ask(boris, anna, inHours(testApp, 30))
    await act(anna, date, 'accept')
    await boris.close()
    await testApp.leap('6 h')
    await testApp.crash()
    await testApp.leap('24 h')
    const mails = (await testApp.mails(address))
      .map(({ subject }) => subject)
      .filter((subject) => subject.includes('date'))
    deepEqual(mails, [
      'Your date with Anna begins in a few minutes',
      'Your date with Anna is tomorrow',
    ])
    await testApp.settle()
    const pushed = service.taken.flatMap(({ path, payload }) =>
      path === browser.path ? [payload['body'] as string] : [],
    )
    deepEqual(
      pushed.filter((body) => body.includes('Your date')),
      ['Your date with Anna is tomorrow', 'Your date with Anna begins in a few minutes'],
    )
    await anna.comeBack()
    const { items } = await anna.get('notices')
    deepEqual(
      items.flatMap(({ kind, facts }) => (kind === 'date' ? [facts.what] : [])),
      ['soon', 'day', 'requested'],
    )
  },
)

story(
  'the calendar file is for the two of an accepted date, and names no person',
  async ({ testApp, boris, carl, anna }) => {
    await known(testApp, boris, anna)
    const date = await ask(boris, anna, '2030-03-05T18:00:00Z', 30)
    const file = (user: TestUser) =>
      fetch(`${testApp.origin}/api/dates/${date.id}/calendar`, {
        headers: { 'chat-token': user.token! },
      })
    equal((await file(boris)).status, 409)
    await act(anna, date, 'accept')
    for (const one of [boris, anna]) {
      const response = await file(one)
      equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8')
      const text = await response.text()
      match(text, /DTSTART:20300305T180000Z\r\n/)
      match(text, /DTEND:20300305T183000Z\r\n/)
      match(text, /TRIGGER:-PT10M\r\n/)
      ok(!/Anna|Boris/.test(text))
    }
    equal((await file(carl)).status, 404)
    for (const press of ['accept', 'decline', 'cancel', 'start'] as const) {
      const user = press === 'accept' || press === 'decline' ? anna : carl
      const id = user === anna ? 999_999 : date.id
      await user.isRefused('not_found', () => act(user, { id }, press))
    }
  },
)

story(
  'the list has the next open date first, then the past ones, over its pages',
  async ({ testApp, boris, anna }) => {
    await known(testApp, boris, anna)
    await testApp.setting('virtual_dates_open_pair', '4')
    const ids: number[] = []
    for (const hours of [2, 3, 4, 5])
      ids.push((await ask(boris, anna, inHours(testApp, hours), 15)).id)
    for (const id of ids.slice(0, 2)) await act(anna, { id }, 'decline')
    const pages: number[][] = []
    for (const page of [1, 2, 3, 9]) {
      const { items, next } = await boris.get('dates', { page, 'per-page': 2 })
      pages.push([...items.map(({ id }) => id), next ? 1 : 0])
    }
    deepEqual(pages, [[ids[2]!, ids[3]!, 1], [ids[1]!, ids[0]!, 0], [0], [0]])
  },
)
