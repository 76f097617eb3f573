import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { audit } from '../laws/ledger-auditor.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { CallClient } from '@duet/testkit/calls/call-client.ts'
import { CallWitness } from '@duet/testkit/calls/call-witness.ts'
import { ServerProcess, freePort, freshFolder } from '@duet/testkit/server-process.ts'
import { RollingClient } from './rolling-client.ts'

const RESTARTS = process.env.PROOF === 'long' ? 50 : 2
const GUYS = 8
const GIRLS = 6
/** This many of them are in a call all the time. */
const COUPLES = 2
/** Each client gets at least this many answers between two restarts. */
const ANSWERS_BETWEEN = 20
const SEED = testSeed()

test(`${RESTARTS} restarts under load fail no request, lose nothing acknowledged and keep calls (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const folder = await freshFolder('rolling')
  const server = new ServerProcess({ data_dir: folder.path, port: await freePort() })
  const witness = new CallWitness(5000)
  const clients: RollingClient[] = []
  const pages: CallClient[] = []
  try {
    await server.start()
    const people = await addPeople(server)
    for (const side of ['guy', 'girl'] as const) {
      for (const { token } of people[side].slice(0, COUPLES))
        pages.push(new CallClient({ origin: server.origin, key: people.key, token, side, witness }))
    }
    for (const { token } of people.guy.slice(COUPLES))
      clients.push(new RollingClient(server.origin, token))
    const girlIds = people.girl.map(({ id }) => id)
    for (const page of pages) page.start()
    for (const client of clients) client.start(girlIds, random)
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      await untilAllWereServed(server, clients, pages, witness)
      equal(await server.terminate(), 0, server.said)
      witness.endOfLife()
      await server.start()
    }
    await untilAllWereServed(server, clients, pages, witness)
    for (const client of clients) await client.stop()
    const callIds = pages.map(({ sessions }) => [...sessions])
    for (const page of pages) page.retire()
    while (pages.some(({ isIdle }) => !isIdle)) await sleep(50)
    equal((await server.duet<{ ok: boolean }>('ledger', 'check')).ok, true)
    equal(await server.terminate(), 0)
    checkOutcomes(clients)
    deepEqual(
      callIds.filter((ids) => ids.length !== 1),
      [],
      'a call did not continue over the restarts',
    )
    const receipts = pages.flatMap((page) => page.receipts)
    deepEqual(
      receipts.filter(({ reason }) => reason !== 'left'),
      [],
    )
    await checkStoredFavourites(folder.path, clients)
  } finally {
    for (const client of clients) client.close()
    for (const page of pages) await page.close()
    await server.kill()
    await folder.remove()
  }
})

interface Person {
  readonly id: number
  readonly token: string
}

async function addPeople(
  server: ServerProcess,
): Promise<{ guy: Person[]; girl: Person[]; key: Buffer }> {
  // A slow restart on a busy machine must not end a call.
  await server.duet('settings', 'set', 'partner_grace', 60)
  const system = (await (await fetch(`${server.origin}/api/system`)).json()) as {
    data: { socket_secret_key: string }
  }
  const people = { guy: [] as Person[], girl: [] as Person[] }
  for (const [role, count] of [
    ['guy', GUYS],
    ['girl', GIRLS],
  ] as const) {
    for (let number = 1; number <= count; number += 1) {
      const identity = ['--role', role, '--nick', `${role} ${number}`]
      const login = [
        '--email',
        `${role}-${number}@duet.example`,
        '--password',
        `${role}-secret-${number}`,
      ]
      const rights = role === 'girl' ? ['--verified', '--avatar', 'demo'] : []
      const person = await server.duet<Person>('user', 'add', ...identity, ...login, ...rights)
      people[role].push(person)
      if (role === 'guy') await server.duet('grant', person.id, 50, 'diamond', '--reason', 'proof')
    }
  }
  return { ...people, key: Buffer.from(system.data.socket_secret_key, 'base64') }
}

/** Until this life of the server has answered each client and carried each call. */
async function untilAllWereServed(
  server: ServerProcess,
  clients: readonly RollingClient[],
  pages: readonly CallClient[],
  witness: CallWitness,
): Promise<void> {
  const before = clients.map(({ acknowledged, answered }) => acknowledged + answered)
  const areCallsServed = () =>
    pages.every(({ sessions }) =>
      [...sessions].some((id) => witness.jointly(id, witness.life).most_ms > 500),
    )
  const areClientsServed = () =>
    clients.every((one, at) => one.acknowledged + one.answered >= before[at]! + ANSWERS_BETWEEN)
  while (!areCallsServed() || !areClientsServed()) {
    ok(!server.hasFallen, `the server ended by itself:\n${server.said}`)
    deepEqual(
      clients.flatMap(({ outcomes }) => outcomes.failures),
      [],
    )
    await sleep(50)
  }
}

function checkOutcomes(clients: readonly RollingClient[]): void {
  const sum = (of: (client: RollingClient) => number) =>
    clients.reduce((total, client) => total + of(client), 0)
  console.log(
    `rolling-restart: ${sum((one) => one.acknowledged)} changes acknowledged, ` +
      `${sum((one) => one.answered)} requests answered, ` +
      `${sum((one) => one.outcomes.asked_to_wait)} asked to wait, ` +
      `${sum((one) => one.outcomes.no_server)} while no server listened, ` +
      `${sum((one) => one.outcomes.unanswered)} unanswered`,
  )
  deepEqual(
    clients.flatMap(({ outcomes }) => outcomes.failures),
    [],
  )
  deepEqual(
    clients.filter(({ user_ids }) => user_ids.size !== 1),
    [],
    'a client lost its login',
  )
}

async function checkStoredFavourites(
  dataDir: string,
  clients: readonly RollingClient[],
): Promise<void> {
  const embedded = await openEmbedded({ data_dir: dataDir })
  const { pool, stop } = attach(embedded.connection, { embedded })
  try {
    deepEqual(await audit(pool), [])
    const { rows } = await pool.query<{ owner_id: number; user_id: number }>(
      'select owner_id, user_id from favourites',
    )
    const stored = new Set(rows.map(({ owner_id, user_id }) => `${owner_id} ${user_id}`))
    const wrong = clients.flatMap(({ user_ids, favourites }) =>
      [...favourites]
        .filter(([user_id, wanted]) => stored.has(`${[...user_ids][0]} ${user_id}`) !== wanted)
        .map(([user_id, wanted]) => `${[...user_ids][0]} ${user_id} ${wanted}`),
    )
    deepEqual(wrong, [])
  } finally {
    await stop()
  }
}
