import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toGender } from '@duet/protocol/kernel/roles.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { sql } from 'kysely'
import { eraseUser } from '../../platform/personal-data/erase-rows.ts'
import { userById } from '../identity/index.ts'
import { addUser } from '../logins/index.ts'
import { ACCOUNTS_OF_VALUE_MAX, sharedRows } from './links.ts'
import { fingerprintHash } from './signal-hash.ts'
import { VALUES_OF_SIGNAL_MAX } from './signals-store.ts'

interface Linked {
  accounts: { user_id: number; shares: { signal: string; is_common: boolean }[] }[]
  more: boolean
}

const wish = {
  nick: 'Marc',
  password: 'marc-secret-1',
  birthday: '1990-02-03',
  gender: toGender('guy'),
}

async function register(testApp: TestApp, email: string, fingerprint?: string) {
  const guest = await testApp.guest()
  if (fingerprint) await guest.act('D_INFO', { fingerprint })
  await guest.post('age/confirm', { confirmed: true, terms: true })
  const { token } = await guest.act('UPDATE_PROFILE', { ...wish, email })
  guest.token = token
  return guest
}

function getSignals(testApp: TestApp, id: number) {
  return testApp.app.db
    .selectFrom('client_signals')
    .select(['signal', 'value_hash', 'first_at', 'last_at'])
    .where('user_id', '=', id)
    .orderBy('signal')
    .execute()
}

const getShares = ({ accounts }: Linked, id: number) =>
  accounts
    .find(({ user_id }) => user_id === id)
    ?.shares.map(({ signal }) => signal)
    .toSorted()

story(
  'a fingerprint is kept as a keyed hash: with the connection, the row of the guest, then with the member',
  async ({ testApp }) => {
    const { app } = testApp
    const guest = await testApp.guest()
    await guest.act('D_INFO', { fingerprint: 'browser-1', components: { screen: [1, 2] } })
    equal(await userById(app.db, guest.id), undefined, 'a guest without a row leaves nothing')
    await guest.post('age/confirm', { confirmed: true, terms: true })
    const hash = fingerprintHash(app, 'fingerprint', 'browser-1')
    equal((await userById(app.db, guest.id))!.fingerprint, hash)
    deepEqual(await getSignals(testApp, guest.id), [], 'guests cannot hide the members of a value')
    await guest.act('UPDATE_PROFILE', { ...wish, email: 'marc@duet.example' })
    const signals = await getSignals(testApp, guest.id)
    deepEqual(
      signals.map(({ signal }) => signal),
      ['device', 'fingerprint', 'network'],
    )
    equal(signals[1]!.value_hash.toString('base64url'), hash)
    const { rows } = await sql<{ text: string }>`
      select coalesce(string_agg(users::text, ''), '') || (select string_agg(client_signals::text, '') from client_signals) as text
      from users`.execute(app.db)
    ok(!rows[0]!.text.includes('browser-1'), 'what the browser sent is stored nowhere')
  },
)

story(
  'the operator sees who shares a browser or a network with a user, and when',
  async ({ testApp }) => {
    const marc = await register(testApp, 'marc@duet.example', 'browser-1')
    const twin = await register(testApp, 'twin@duet.example', 'browser-1')
    const roommate = await register(testApp, 'roommate@duet.example', 'browser-2')
    await testApp.leap('2 h')
    await marc.comeBack()
    await marc.act('D_INFO', { fingerprint: 'browser-1' })
    const linked = await testApp.duet<Linked>('links', 'marc@duet.example')
    deepEqual(getShares(linked, twin.id), ['device', 'fingerprint', 'network'])
    deepEqual(getShares(linked, roommate.id), ['network'])
    deepEqual(
      linked.accounts.map(({ user_id }) => user_id),
      [twin.id, roommate.id],
      'who shares more comes first',
    )
    const [device] = (await getSignals(testApp, marc.id)).filter(
      ({ signal }) => signal === 'device',
    )
    ok(Temporal.Instant.compare(device!.first_at, device!.last_at) < 0)
    ok((await twin.get('profile')).user.id === twin.id, 'nothing is decided by it')
  },
)

story('a log-in without a fingerprint is recognised by its network', async ({ testApp, boris }) => {
  const again = testApp.user('boris again')
  await again.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
  ok((await getSignals(testApp, boris.id)).some(({ signal }) => signal === 'network'))
})

story(
  'a fingerprint of ten thousand phones costs one short walk over an index and a short answer',
  async ({ testApp }) => {
    const { app } = testApp
    const marc = await register(testApp, 'marc@duet.example', 'browser-1')
    const other = await app.transact((tx) =>
      addUser(tx, { role: 'guy', nick: 'Template', email: 'template@duet.example' }),
    )
    await sql`
      insert into users (id, role, nick, email, password_hash, birthday, ref_code, created_at, registered_at)
      select 1000000 + number, role, nick, 'crowd-' || number || '@duet.example', password_hash, birthday,
        'CROWD' || number, created_at, registered_at
      from users, generate_series(1, 10000) as number where id = ${other.id}`.execute(app.db)
    await sql`
      insert into client_signals (user_id, signal, value_hash, first_at, last_at, last_day)
      select 1000000 + number, signal, value_hash, first_at, last_at + number * interval '1 s', last_day
      from client_signals, generate_series(1, 10000) as number where user_id = ${marc.id}`.execute(
      app.db,
    )
    await sql`analyze client_signals`.execute(app.db)
    const linked = await testApp.duet<Linked>('links', marc.id)
    ok(linked.accounts.length <= 100)
    ok(linked.accounts.every(({ shares }) => shares.every(({ is_common }) => is_common)))
    const { rows } = await sql<{
      'QUERY PLAN': [{ Plan: PlanNode }]
    }>`explain (analyze, format json) ${sharedRows(marc.id)}`.execute(app.db)
    const read = listNodes(rows[0]!['QUERY PLAN'][0].Plan)
      .filter((node) => node['Relation Name'] === 'client_signals')
      .map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
    ok(read.length === 2 && Math.max(...read) <= ACCOUNTS_OF_VALUE_MAX + 2, JSON.stringify(read))
  },
)

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

function listNodes(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(listNodes)]
}

story('a user who invents fingerprints keeps a bounded number of rows', async ({ testApp }) => {
  const marc = await register(testApp, 'marc@duet.example', 'browser-0')
  for (let number = 1; number <= VALUES_OF_SIGNAL_MAX + 5; number += 1) {
    await testApp.advance('10 s')
    await marc.act('D_INFO', { fingerprint: `browser-${number}` })
  }
  const signals = await getSignals(testApp, marc.id)
  const ofSignal = (name: string) => signals.filter(({ signal }) => signal === name)
  equal(ofSignal('fingerprint').length, VALUES_OF_SIGNAL_MAX)
  equal(ofSignal('device').length, VALUES_OF_SIGNAL_MAX)
  equal(ofSignal('network').length, 1)
  const newest = fingerprintHash(testApp.app, 'fingerprint', `browser-${VALUES_OF_SIGNAL_MAX + 5}`)
  ok(ofSignal('fingerprint').some(({ value_hash }) => value_hash.toString('base64url') === newest))
})

story(
  'an erased account is linked with no other, and old signals are forgotten',
  async ({ testApp }) => {
    const { app, running } = testApp
    const marc = await register(testApp, 'marc@duet.example', 'browser-1')
    const twin = await register(testApp, 'twin@duet.example', 'browser-1')
    await app.transact((tx) => eraseUser(running.modules, tx, twin.id))
    deepEqual((await testApp.duet<Linked>('links', marc.id)).accounts, [])
    await testApp.leap(`${24 * 181} h`)
    await app.jobs.run('retention')
    deepEqual(await getSignals(testApp, marc.id), [])
  },
)

story('without the outside service no visitor id is stored', async ({ testApp }) => {
  const marc = await register(testApp, 'marc@duet.example')
  await marc.act('PRO_D_INFO', { visitor_id: 'visitor-1', request_id: 'visitor-1' })
  equal(await fetchProSignals(testApp, marc.id), 0)
})

/** Confirms the visitor id that is the request's own. */
const service = { status: 200, now_ms: 0 }
const pro = createServer((request, response) => {
  const visitor_id = request.url!.split('/').at(-1)
  response.writeHead(service.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ timestamp: service.now_ms, identification: { visitor_id } }))
})
pro.listen(0, '127.0.0.1')
await once(pro, 'listening')
pro.unref()

story.with({
  env: {
    FINGERPRINT_PRO_SECRET: 'a-secret-of-the-service',
    FINGERPRINT_PRO_URL: `http://127.0.0.1:${(pro.address() as AddressInfo).port}`,
  },
})(
  'a visitor id of the outside service is stored when the service confirms it, and only then',
  async ({ testApp }) => {
    service.now_ms = testApp.app.clock.now().epochMilliseconds
    const guest = await testApp.guest()
    await guest.act('PRO_D_INFO', { visitor_id: 'visitor-1', request_id: 'another' })
    service.status = 503
    await guest.act('PRO_D_INFO', { visitor_id: 'visitor-1', request_id: 'visitor-1' })
    service.status = 200
    const marc = await register(testApp, 'marc@duet.example')
    equal(await fetchProSignals(testApp, marc.id), 0)
    await marc.act('PRO_D_INFO', { visitor_id: 'visitor-1', request_id: 'visitor-1' })
    equal(await fetchProSignals(testApp, marc.id), 1)
    const twin = await testApp.guest()
    await twin.act('PRO_D_INFO', { visitor_id: 'visitor-1', request_id: 'visitor-1' })
    await twin.post('age/confirm', { confirmed: true, terms: true })
    await twin.act('UPDATE_PROFILE', { ...wish, email: 'twin@duet.example' })
    equal(await fetchProSignals(testApp, twin.id), 1, 'sent as a guest')
    deepEqual(getShares(await testApp.duet<Linked>('links', marc.id), twin.id), [
      'network',
      'pro_fingerprint',
    ])
  },
)

async function fetchProSignals(testApp: TestApp, id: number): Promise<number> {
  const signals = await getSignals(testApp, id)
  return signals.filter(({ signal }) => signal === 'pro_fingerprint').length
}
