import { deepEqual, equal } from 'node:assert/strict'
import { sql } from 'kysely'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { inCall, paidCall } from '@duet/testkit/calls/in-call.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { selectRingsInVain } from '../../matchmaking/index.ts'
import { selectClosedCalls } from '../queries.ts'
import { parsePlace } from './past-rows.ts'

story(
  'a past call has its receipt, exact to the unit, and the ways to the other user',
  async ({ testApp, boris, anna }) => {
    const call = await paidCall(testApp, { guy: boris, girl: anna, minutes: 5 })
    await call.talk(30)
    const { balance, session_id, ...account } = await boris.act('BREAK_SESSION', {
      session_id: call.session_id,
    })
    const [his] = (await boris.get('history_chats')).items
    deepEqual(
      {
        ...account,
        id: `call-${session_id}`,
        session_id,
        user_id: anna.id,
        state: 'public',
        nick: 'Anna',
        may_call: true,
      },
      {
        ...omit(his!, ['user_interlocutor', 'can_call', 'started_at']),
        nick: his!.user_interlocutor?.nick,
        may_call: his!.can_call?.allowed,
      },
    )
    const [hers] = (await anna.get('history_chats')).items
    deepEqual(
      [hers?.user_interlocutor?.nick, hers?.spent, hers?.paid_seconds, hers?.earned !== undefined],
      ['Boris', undefined, account.paid_seconds, true],
    )
    equal(balance !== undefined, true)
  },
)

story(
  'a call stays in the history without the other user, whichever of the two blocked',
  async ({ testApp, boris, anna }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('BREAK_SESSION', { session_id })
    await anna.act('BLOCK_USER', { user_id: boris.id })
    for (const [user, other] of [
      [boris, anna],
      [anna, boris],
    ] as const) {
      const { items } = await user.get('history_chats')
      deepEqual(
        items.map((item) => [item.session_id, item.user_id, item.user_interlocutor, item.can_call]),
        [[session_id, other.id, null, undefined]],
      )
      // A user who blocks first, or is blocked, still complains about what happened.
      await user.act('TO_COMPLAIN', { reason: 'spam', user_id: other.id, comment: '', session_id })
    }
    await anna.act('UNBLOCK_USER', { user_id: boris.id })
    equal((await boris.get('history_chats')).items[0]?.user_interlocutor?.nick, 'Anna')
  },
)

story(
  'the history shows no user who is banned, deleted, or hidden from the country of the viewer',
  async ({ testApp, boris, anna, vera, clara }) => {
    for (const girl of [anna, vera, clara]) {
      const { session_id } = await inCall(testApp, { guy: boris, girl })
      await boris.act('BREAK_SESSION', { session_id })
      boris.forget()
    }
    await testApp.duet('ban', anna.id, '--reason', 'other', '--comment', 'test')
    await vera.post('delete_account', { password: 'vera-secret-1', confirm: true })
    await clara.post('profile', { hide_countries: ['DE'] })
    const { items } = await boris.get('history_chats')
    deepEqual(
      items.map(({ user_id, user_interlocutor }) => [user_id, user_interlocutor]),
      [clara, vera, anna].map(({ id }) => [id, null]),
    )
  },
)

story(
  'a cleared history is empty for its user only, and later calls are in it',
  async ({ testApp, boris, anna }) => {
    const first = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('BREAK_SESSION', { session_id: first.session_id })
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    await testApp.advance('1 s')
    await boris.act('INVITE_TO_CHAT', { user_id: anna.id })
    await testApp.advance('31 s')
    equal((await boris.get('history_chats')).items.length, 2)
    for (let time = 0; time < 2; time += 1) await boris.post('history_chats/clear', {})
    deepEqual((await boris.get('history_chats')).items, [])
    deepEqual(
      (await anna.get('history_chats')).items.map(({ session_id, missed, is_caller }) => [
        session_id,
        missed,
        is_caller,
      ]),
      [
        [null, true, false],
        [first.session_id, undefined, undefined],
      ],
    )
    await testApp.advance('1 min')
    boris.forget()
    anna.forget()
    const second = await inCall(testApp, { guy: boris, girl: anna })
    // A call that runs while its user clears is not a past call, and stays.
    await boris.post('history_chats/clear', {})
    await boris.act('BREAK_SESSION', { session_id: second.session_id })
    deepEqual(
      (await boris.get('history_chats')).items.map(({ session_id }) => session_id),
      [second.session_id],
    )
  },
)

const COPIES = 2999

/** A call and a ring in vain of these two, each with thousands of copies before it, in turns. */
async function fillHistory(testApp: TestApp, guy: TestUser, girl: TestUser): Promise<void> {
  const { session_id } = await inCall(testApp, { guy, girl })
  await guy.act('BREAK_SESSION', { session_id })
  await testApp.duet('grant', guy.id, 5, 'diamond', '--reason', 'test')
  await testApp.advance('1 s')
  const { pair_id } = await guy.act('INVITE_TO_CHAT', { user_id: girl.id })
  await guy.act('SEARCH_PAIR_REJECT', { pair_id })
  const copies = (table: string, key: string, shift: string) =>
    `insert into ${table} select copy.* from ${table} one, generate_series(1, ${COPIES}) number,
       jsonb_populate_record(one, jsonb_build_object(
         ${key}, 'random_id', null, 'opened_at', one.opened_at - number * interval '1 minute' ${shift})) copy`
  await runAsOwner(
    testApp.database,
    // The true call is the newest by its id too.
    `update video_sessions set session_id = session_id + ${COPIES}`,
    copies('video_sessions', `'session_id', one.session_id - number`, ''),
    copies('invitations', `'pair_id', gen_random_uuid()`, `- interval '7 s'`),
    'vacuum analyze video_sessions, invitations',
  )
}

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

/** The rows that a page of each list reads from its table. */
async function rowsRead(
  { app }: TestApp,
  side: Role,
  user_id: number,
  after?: string,
): Promise<number[]> {
  const place = after === undefined ? {} : parsePlace(after)
  const of = { user_id, side }
  const statements = [
    selectClosedCalls(app.db, { ...of, above: 0, below: place.call }, 51),
    selectRingsInVain(
      app.db,
      { ...of, after: Temporal.Instant.fromEpochMilliseconds(0), before: place.ring },
      51,
    ),
  ]
  const read: number[] = []
  for (const statement of statements) {
    const [row] = (await statement.explain('json', sql`analyze`)) as unknown as [
      { 'QUERY PLAN': [{ Plan: Plan }] },
    ]
    const tables = nodes(row['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'])
    for (const node of tables)
      read.push(
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      )
  }
  return read
}

story(
  'a history of thousands of calls and rings is read whole, each item once, and each page costs as the first',
  async ({ testApp, boris, anna }) => {
    await fillHistory(testApp, boris, anna)
    const seen: string[] = []
    const times: string[] = []
    const places: (string | undefined)[] = [undefined]
    for (let next = true; next;) {
      const after = places.at(-1)
      const page = await boris.get('history_chats', {
        'per-page': 50,
        page: places.length,
        ...(after !== undefined && { after }),
      })
      seen.push(...page.items.map(({ id }) => id))
      times.push(...page.items.map(({ started_at }) => started_at))
      next = page.next
      equal(page.after !== undefined, next)
      if (next) places.push(page.after)
    }
    deepEqual([seen.length, new Set(seen).size], [2 * (COPIES + 1), 2 * (COPIES + 1)])
    deepEqual(times, times.toSorted().toReversed())
    for (const place of [places[0], places[1], places[60], places[115]])
      deepEqual(
        await rowsRead(testApp, 'guy', boris.id, place),
        [51, 51],
        place ?? 'the first page',
      )
    // He ended every ring at once, so she has none in her history, and no page of hers reads them.
    deepEqual(await rowsRead(testApp, 'girl', anna.id), [51, 0])
    // The newest calls of all are of other users, and most calls are his.
    await runAsOwner(
      testApp.database,
      'set session_replication_role = replica',
      `insert into video_sessions select copy.* from video_sessions one, generate_series(1, 300) number,
         jsonb_populate_record(one, jsonb_build_object('session_id', one.session_id + number,
           'guy_id', one.guy_id + 1000000 + number, 'girl_id', one.girl_id + 1000000 + number)) copy
       where one.session_id = (select max(session_id) from video_sessions)`,
      'cluster video_sessions using video_sessions_pkey',
      'vacuum analyze video_sessions',
    )
    deepEqual(await rowsRead(testApp, 'guy', boris.id), [51, 51])
    for (const wrong of ['x', '1', '_9', `1_${'9'.repeat(19)}_${'-'.repeat(36)}`])
      await boris.isRefused('invalid', () => boris.get('history_chats', { after: wrong }))
  },
)

function omit<T extends object, K extends keyof T>(from: T, names: readonly K[]): Omit<T, K> {
  return Object.fromEntries(
    Object.entries(from).filter(([name]) => !names.includes(name as K)),
  ) as Omit<T, K>
}
