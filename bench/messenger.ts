/**
 * Messages stored a second with all rules: price, masking, unread counters, change log, rendering. The baseline is
 * plain INSERTs of the same text on the same cluster. Also measures how the cost of a message grows with the dialog and
 * with the dialogs of a user.
 *
 * The product's own code runs in one process, without sockets. A caller sends, waits for the commit, and sends again.
 * Rounds are interleaved; figures are medians.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pino } from 'pino'
import { readConfig } from '@duet/server/config.ts'
import type { App } from '@duet/server/core/app.ts'
import type { Member } from '@duet/server/core/viewer.ts'
import { createApp } from '@duet/server/create-app.ts'
import { systemClock } from '@duet/server/lib/clock.ts'
import { getDialogMessages, getDialogs } from '@duet/server/modules/messenger/get-dialogs.ts'
import { sendMessage } from '@duet/server/modules/messenger/sending/send-message.ts'
import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import { migrate } from '@duet/server/platform/database/migrate.ts'
import { attach, type Database } from '@duet/server/platform/database/open.ts'
import { openDialogs } from './figures/dialogs.ts'
import { median } from './figures/median.ts'

const ROUNDS = 3
const ROUND_MS = 3_000
const CALLERS = [200, 1_000]
const PAIRS = 1_000
const TEXT = 'Hello, how was your day? I was at the sea.'
const DIALOG_SIZES = [10, 10_000, 1_000_000]
const LIST_SIZES = [10, 10_000]
const MESSAGES_WHILE_OFFLINE = 10_000
const SINGLE_RUNS = 200
const FILLED_AT_ONCE = 50_000

interface Pair {
  readonly guy: Member
  readonly girl: Member
  readonly dialogId: number
}

const folder = await mkdtemp(join(tmpdir(), 'duet-bench-messenger-'))
const embedded = await openEmbedded({ data_dir: folder })
try {
  await migrate(embedded.connection)
  await measure(attach(embedded.connection))
} finally {
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measure(database: Database): Promise<void> {
  const env = {
    NODE_ENV: 'development',
    DEMO: 'off',
    SECOND_PERSON: 'off',
    DATA_DIR: join(folder, 'files'),
    PORT: '0',
  }
  await mkdir(env.DATA_DIR)
  const config = readConfig({ ...env, SECRET_KEY: 'only-for-the-bench-0123456789-abcdef' })
  const log = pino({ level: 'error' })
  const running = await createApp({
    config,
    database,
    clock: systemClock,
    log,
    autonomous: false,
  })
  await running.start()
  try {
    const pairs = await makePairs(database)
    await stored(running.app, database, pairs)
    await growthOfDialogs(running.app, database, pairs)
    await growthOfLists(running.app, database, pairs)
    await caughtUp(running.app, database, pairs[20]!)
  } finally {
    await running.stop()
    await database.stop()
  }
}

async function stored(app: App, database: Database, pairs: readonly Pair[]): Promise<void> {
  await database.pool.query('create table plain (id bigserial primary key, text text not null)')
  const send = (at: number) => {
    const { guy, dialogId } = pairs[at % PAIRS]!
    return sendMessage(app, guy, newText(dialogId))
  }
  const insert = () => database.pool.query('insert into plain (text) values ($1)', [TEXT])
  await rate(send, 50, 1_000)
  const [one, bare] = [await measureTime(() => send(0)), await measureTime(insert)]
  console.log(
    `  one message alone ${one.toFixed(2)} ms, one plain INSERT ${bare.toFixed(2)} ms: ${(one / bare).toFixed(1)}x`,
  )
  for (const callers of CALLERS) {
    const found = { plain: [] as Load[], product: [] as Load[] }
    for (let round = 0; round < ROUNDS; round += 1) {
      found.plain.push(await rate(insert, callers, ROUND_MS))
      found.product.push(await rate(send, callers, ROUND_MS))
    }
    const [plain, product] = [found.plain, found.product].map((loads) => ({
      per_s: median(loads.map(({ per_s }) => per_s)),
      p50: median(loads.map(({ p50 }) => p50)),
      p99: median(loads.map(({ p99 }) => p99)),
    })) as [Load, Load]
    console.log(
      `  ${callers} callers: ${product.per_s.toFixed(0)} messages/s (p50 ${product.p50.toFixed(0)} ms, p99 ${product.p99.toFixed(0)} ms) beside ${plain.per_s.toFixed(0)} plain INSERTs/s (p50 ${plain.p50.toFixed(0)} ms, p99 ${plain.p99.toFixed(0)} ms): ${(product.per_s / plain.per_s).toFixed(2)}x`,
    )
  }
}

async function growthOfDialogs(app: App, database: Database, pairs: readonly Pair[]) {
  const costs: string[] = []
  let first: { send: number; page: number } | undefined
  for (const [at, size] of DIALOG_SIZES.entries()) {
    const { guy, dialogId } = pairs[at]!
    await fill(database, pairs[at]!, size)
    const before = Number(
      (
        await database.pool.query(
          'select id from messages where dialog_id = $1 order by id offset $2 limit 1',
          [dialogId, Math.floor(size / 2)],
        )
      ).rows[0]!.id,
    )
    const cost = {
      send: await measureTime(() => sendMessage(app, guy, newText(dialogId))),
      page: await measureTime(() => getDialogMessages(app, guy, { dialogId, before })),
    }
    first ??= cost
    costs.push(
      `${size}: send ${cost.send.toFixed(2)} ms (${(cost.send / first.send).toFixed(2)}x), page ${cost.page.toFixed(2)} ms (${(cost.page / first.page).toFixed(2)}x)`,
    )
  }
  console.log(`  one message in a dialog of ${costs.join(' · ')} (allowed 1.3x)`)
}

async function growthOfLists(app: App, database: Database, pairs: readonly Pair[]) {
  const costs: string[] = []
  let first: { send: number; list: number } | undefined
  for (const [at, size] of LIST_SIZES.entries()) {
    const { guy, dialogId } = pairs[10 + at]!
    await addDialogs(database, guy, size)
    const cost = {
      send: await measureTime(() => sendMessage(app, guy, newText(dialogId))),
      list: await measureTime(() => getDialogs(app, guy, { limit: 20, filter: 'all' })),
    }
    first ??= cost
    costs.push(
      `${size}: send ${cost.send.toFixed(2)} ms (${(cost.send / first.send).toFixed(2)}x), list of 20 ${cost.list.toFixed(2)} ms (${(cost.list / first.list).toFixed(2)}x)`,
    )
  }
  console.log(`  a user with dialogs ${costs.join(' · ')} (allowed 1.3x)`)
}

/** All messages from the time while a user was offline, read page by page as by the browser. */
async function caughtUp(app: App, database: Database, pair: Pair): Promise<void> {
  const { guy, dialogId } = pair
  await fill(database, pair, MESSAGES_WHILE_OFFLINE)
  const began = performance.now()
  const seen = new Set<number>()
  for (let before: number | undefined; seen.size < MESSAGES_WHILE_OFFLINE;) {
    const { messages } = await getDialogMessages(app, guy, { dialogId, ...(before && { before }) })
    if (messages.length === 0) throw new Error(`${seen.size} messages of the dialog are there`)
    for (const { message_id } of messages) seen.add(message_id)
    before = Math.min(...messages.map(({ message_id }) => message_id))
  }
  console.log(
    `  ${MESSAGES_WHILE_OFFLINE} messages while offline: all read after ${(performance.now() - began).toFixed(0)} ms (must 2000)`,
  )
}

function newText(dialogId: number) {
  return { dialogId, message: TEXT, random_id: crypto.randomUUID(), type: 'text' }
}

interface Load {
  readonly per_s: number
  readonly p50: number
  readonly p99: number
}

/** Callers who each wait for their own answer before the next request. */
async function rate(
  work: (caller: number) => Promise<unknown>,
  callers: number,
  forMs: number,
): Promise<Load> {
  const waitsMs: number[] = []
  const began = performance.now()
  const until = began + forMs
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() < until) {
        const sent = performance.now()
        await work(caller)
        waitsMs.push(performance.now() - sent)
      }
    }),
  )
  const sorted = waitsMs.toSorted((one, other) => one - other)
  return {
    per_s: (waitsMs.length / (performance.now() - began)) * 1000,
    p50: sorted[Math.floor(sorted.length * 0.5)]!,
    p99: sorted[Math.floor(sorted.length * 0.99)]!,
  }
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const timesMs: number[] = []
  for (let run = 0; run < SINGLE_RUNS; run += 1) {
    const began = performance.now()
    await work()
    timesMs.push(performance.now() - began)
  }
  return median(timesMs)
}

/**
 * Guys with Premium and credits. Each guy has a dialog with a different girl. After the free messages every message is
 * paid.
 */
async function makePairs(database: Database): Promise<Pair[]> {
  const guys = await makePeople(database, 'guy', PAIRS)
  const girls = await makePeople(database, 'girl', PAIRS)
  const dialogs = await openDialogs(database, guys, girls)
  return dialogs.map((dialogId, at) => ({
    guy: getMember(guys[at]!, 'guy'),
    girl: getMember(girls[at]!, 'girl'),
    dialogId,
  }))
}

async function makePeople({ pool }: Database, role: string, count: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (id, role, declared_role, nick, email, password_hash, birthday, ref_code, age_confirmed_at,
       created_at, registered_at, verified_at, premium_until)
     select id, $1, $1, $1 || id, id || '@bench.test', 'none', '1990-01-01', 'bench' || id, now(), now(), now(), now(),
       case when $1 = 'guy' then now() + interval '30 days' end
     from (select nextval('user_ids') as id from generate_series(1, $2::integer)) ids returning id`,
    [role, count],
  )
  return rows.map(({ id }) => Number(id)).toSorted((one, other) => one - other)
}

function getMember(id: number, role: 'guy' | 'girl'): Member {
  return {
    kind: 'member',
    id,
    login_id: 1,
    nick: `${role}${id}`,
    role,
    premium: role === 'guy',
    verified: true,
    banned: false,
    locale: 'en',
    country: null,
    region: null,
    age_confirmed: true,
  }
}

async function fill({ pool }: Database, { guy, girl, dialogId }: Pair, size: number) {
  // In parts: the product's connections have a statement timeout.
  for (let filled = 0; filled < size; filled += FILLED_AT_ONCE)
    await pool.query(
      `insert into messages (id, dialog_id, sender_id, receiver_id, type, text, create_time, read_at)
       select nextval('message_ids'), $1, $2, $3, 'text', $4, now() - interval '1 day', now()
       from generate_series(1, $5::integer)`,
      [dialogId, guy.id, girl.id, TEXT, Math.min(FILLED_AT_ONCE, size - filled)],
    )
  await pool.query('vacuum analyze messages')
}

async function addDialogs(database: Database, guy: Member, size: number): Promise<void> {
  const girls = await makePeople(database, 'girl', size)
  await database.pool.query(
    `with opened as (
       insert into dialogs (guy_id, girl_id, created_at) select $1, girl, now() from unnest($2::bigint[]) girl
       returning id, girl_id)
     insert into dialog_members (dialog_id, user_id, interlocutor_id, activity_id, hidden)
     select id, $1, girl_id, nextval('message_ids'), false from opened
     union all select id, girl_id, $1, nextval('message_ids'), true from opened`,
    [guy.id, girls],
  )
  await database.pool.query('vacuum analyze users, dialogs, dialog_members')
}
