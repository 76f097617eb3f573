import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { recountDialogs } from '@duet/testkit/messenger.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { ServerProcess, freePort, freshFolder } from '@duet/testkit/server-process.ts'
import { audit } from '../laws/ledger-auditor.ts'
import { openLossyLink } from './lossy-link.ts'
import { MessageClient, getText } from './message-client.ts'

/** D1: the long form by `npm run proof messages`. */
const KILLS = process.env.PROOF === 'long' ? 200 : 3
const COUPLES = 4
/** Of each guy. Further messages cost a credit. */
const FREE = 5
/** Texts that are acknowledged between two kills, at least. */
const TEXTS_BETWEEN = 20
/** Of the commits of the server. The connection is cut after the commit was sent, before its answer. */
const CUT_EVERY = 8
const SEED = testSeed()

interface Stored {
  readonly id: number
  readonly dialog_id: number
  readonly sender_id: number
  readonly random_id: string
  readonly text: string
  readonly price: number
  readonly reward: string
}

test(`messages survive ${KILLS} kills, connections cut after a commit and a lossy link: none acknowledged is lost, none stored twice, none out of order, and the change log delivers each once (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const folder = await freshFolder('kill-messages')
  const server = new ServerProcess({ data_dir: folder.path, port: await freePort() })
  const link = await openLossyLink(server.port, randomFrom(SEED + 1))
  const clients: MessageClient[] = []
  let cut = 0
  try {
    await server.start()
    clients.push(...(await enter(server, link.origin, random)))
    for (const client of clients) client.start()
    server.cutsCommitsEvery = CUT_EVERY
    link.beginTroubles()
    for (let died = 0; died < KILLS; died += 1) {
      const before = acknowledgedBy(clients)
      const runForMs = 300 + random() * 1200
      for (let ranMs = 0; ranMs < runForMs || acknowledgedBy(clients) < before + TEXTS_BETWEEN;) {
        ok(!server.hasFallen, `the server ended by itself:\n${server.said}`)
        await sleep(50)
        ranMs += 50
        if (random() < 0.1) clients[Math.floor(random() * clients.length)]!.drop()
      }
      // Every third time only the database dies, and the server lives on.
      if (died % 3 === 2) await server.killDatabase()
      else {
        cut += server.cutCommits
        await server.kill()
        await compare(folder.path, clients)
        await server.start()
      }
    }
    for (const client of clients) client.retire()
    while (!clients.every((client) => client.isIdle(acknowledgedIn(clients, client.dialogs)))) {
      ok(!server.hasFallen, `the server ended by itself:\n${server.said}`)
      deepEqual(listFailures(clients), [])
      await sleep(50)
    }
    cut += server.cutCommits
    ok(cut > 0, 'no commit was cut from its answer')
    ok(link.troubles.cut > 0 && link.troubles.stalled > 0, 'the link had no trouble')
    equal(await server.terminate(), 0)
    const stored = await compare(folder.path, clients)
    equal(stored.length, acknowledgedBy(clients), 'what is stored was acknowledged')
    compareDelivered(clients, stored)
    const paid = stored.filter(({ price }) => price > 0).length
    const rewarded = stored.filter(({ reward }) => reward !== '0').length
    ok(paid > 0 && rewarded > 0, 'no text was paid, or none earned a reward')
    console.log(
      `messages: ${stored.length} of ${clients.length} users over ${KILLS} kills and ${cut} cut commits, over a link that ${JSON.stringify(link.troubles)}, ${paid} paid and ${rewarded} rewarded`,
    )
  } finally {
    for (const client of clients) await client.close()
    await link.close()
    await server.kill()
    await folder.remove()
  }
})

async function enter(
  server: ServerProcess,
  through: string,
  random: () => number,
): Promise<MessageClient[]> {
  await server.duet('settings', 'set', 'first_writes_unanswered', 100)
  await server.duet('settings', 'set', 'free_messages_a_day', FREE)
  const system = (await (await fetch(`${server.origin}/api/system`)).json()) as {
    data: { socket_secret_key: string }
  }
  const key = Buffer.from(system.data.socket_secret_key, 'base64')
  const come = async (role: 'guy' | 'girl', number: number) => {
    const name = `${role}-${number}`
    const { id, token } = await server.duet<{ id: number; token: string }>(
      ...(['user', 'add', '--role', role, '--nick', name] as const),
      ...(['--email', `${name}@duet.example`, '--password', `${name}-secret`] as const),
      ...(role === 'girl' ? ['--verified', '--avatar', 'demo'] : []),
    )
    if (role === 'guy') {
      await server.duet('premium', id, '--days', 30)
      await server.duet('grant', id, 1_000_000, 'message', '--reason', 'proof')
    }
    const client = new MessageClient({ origin: server.origin, through, key, token, random })
    await client.ready()
    return client
  }
  const guys: MessageClient[] = []
  const girls: MessageClient[] = []
  for (let number = 1; number <= COUPLES; number += 1) {
    guys.push(await come('guy', number))
    girls.push(await come('girl', number))
  }
  // Each has a dialog with two of the others.
  for (const [at, guy] of guys.entries())
    for (const girl of [girls[at]!, girls[(at + 1) % COUPLES]!]) {
      const dialogId = await guy.openDialog(girl.user_id)
      // She would see it with his first message only.
      equal(await girl.openDialog(guy.user_id), dialogId)
      for (const client of [guy, girl]) client.dialogs.push(dialogId)
    }
  return [...guys, ...girls]
}

function acknowledgedBy(clients: readonly MessageClient[]): number {
  return clients.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
}

function acknowledgedIn(clients: readonly MessageClient[], dialogs: readonly number[]): number {
  return clients
    .flatMap(({ acknowledged }) => acknowledged)
    .filter(({ dialog_id }) => dialogs.includes(dialog_id)).length
}

function listFailures(clients: readonly MessageClient[]): string[] {
  return clients.flatMap(({ failures }) => failures)
}

/** Compares what the server, which has ended, has stored with what the senders know. */
async function compare(dataDir: string, clients: readonly MessageClient[]): Promise<Stored[]> {
  // A page that waits for its answer now may have been stored: the history is read first.
  const acknowledged = clients.flatMap((client) => client.acknowledged)
  const embedded = await openEmbedded({ data_dir: dataDir })
  const { pool, stop } = attach(embedded.connection, { embedded })
  try {
    const { rows } = await pool.query<Stored>(
      'select id, dialog_id, sender_id, random_id, text, price, reward::text as reward from messages order by id',
    )
    const byName = new Map(rows.map((row) => [row.random_id, row]))
    equal(byName.size, rows.length, 'a message is stored twice')
    for (const { random_id, message_id, dialog_id, text } of acknowledged) {
      const row = byName.get(random_id)
      deepEqual(
        row && { id: row.id, dialog_id: row.dialog_id, text: row.text },
        { id: message_id, dialog_id, text },
        'an acknowledged message is not stored as it was acknowledged',
      )
    }
    for (const [of, sent] of Map.groupBy(rows, (row) => `${row.dialog_id} ${row.sender_id}`))
      deepEqual(
        sent.map(({ text }) => text),
        sent.map((_, number) => getText(number)),
        `texts of ${of} are lost, doubled or out of order`,
      )
    deepEqual(listFailures(clients), [])
    deepEqual(await recountDialogs(pool), [])
    await compareMoney(pool)
    return rows
  } finally {
    await stop()
  }
}

/** Each price and reward was moved once, and each text without a price took a free message of the day. */
async function compareMoney(pool: pg.Pool): Promise<void> {
  deepEqual(await audit(pool), [])
  const { rows } = await pool.query<object>(`
    with due as (
      select 'message:' || id || ':price' as key, price::bigint as amount from messages where price > 0
      union all select 'message:' || id || ':reward', reward from messages where reward > 0
    ), moved as (
      select key, amount from transfers where what in ('message', 'message_reward')
    ), unpaid as (
      select sender_id as user_id, count(*)::integer as count
      from messages join users on users.id = sender_id where role = 'guy' and price = 0 group by sender_id
    ), taken as (
      select user_id, sum(used)::integer as used from free_messages group by user_id
    )
    select key, due.amount::text as due, moved.amount::text as moved from due full join moved using (key)
    where due.amount is distinct from moved.amount
    union all
    select 'free messages of ' || user_id, count::text, used::text from unpaid full join taken using (user_id)
    where count is distinct from used`)
  deepEqual(rows, [])
}

/** Each of the two of a dialog has seen its messages in the order of their ids, each once. */
function compareDelivered(clients: readonly MessageClient[], stored: readonly Stored[]): void {
  for (const { dialogs, delivered, user_id } of clients)
    for (const dialogId of dialogs)
      deepEqual(
        delivered.filter(({ dialog_id }) => dialog_id === dialogId).map((one) => one.message_id),
        stored.filter(({ dialog_id }) => dialog_id === dialogId).map(({ id }) => id),
        `what user ${user_id} saw of dialog ${dialogId}`,
      )
}
