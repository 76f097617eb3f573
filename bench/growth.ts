/**
 * Measures the cost of a hundred times the rows: of a run of the retention with nothing to delete, of a page of changes,
 * of messages and of notices, and of an export of a user's data. The user's own rows stay the same; all other rows are of other users.
 * Pages are those of the database, in memory or not. Times are medians, beside a bare query of the same moment.
 *
 * Takes `--rows=5000`: the rows of each table before they become a hundred times as many.
 */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { modules } from '@duet/server/modules.ts'
import { retentionRules } from '@duet/server/platform/retention/retention.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { openTestApp, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { median } from './figures/median.ts'
import { countPages } from './figures/pages-read.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '5000' } } })
const ROWS = Number(values.rows)
const TIMES = 100
const ROUNDS = 15
const WARM_UP_ROUNDS = 10
const OWN_MESSAGES = 60
const BARE = 'a bare query'
/** Ids from here on are of other users, who have no row of their own. */
const OTHERS = 1_000_000_000
const ROWS_OF_ONE = 100

/** The columns and the values of row `n`, which is younger than every rule of the retention. */
const TABLES: Readonly<Record<string, readonly [columns: string, row: string]>> = {
  changes: [
    'user_id, change_id, event, payload, at',
    `o, n % ${ROWS_OF_ONE} + 1, 'notice', '{}', now - n % 25 * interval '1 day'`,
  ],
  messages: [
    'id, dialog_id, sender_id, receiver_id, type, text, random_id, asked, create_time',
    `n, o, o, o + 1, 'text', 'A text of usual length, as users write', 'growth-' || n, '', hour`,
  ],
  notices: [
    'user_id, kind, facts, at, read_at',
    `o, 'kept', '{}', hour, case when n % 2 = 0 then hour end`,
  ],
  session_logs: ['session_id, user_id, level, text, at', `o, o, 'info', repeat('line ', 20), hour`],
  profile_views: ['girl_id, viewer_id, day', 'o, n, now::date'],
  idempotent_answers: [
    'user_id, key, request_hash, claim, claimed_until, answer, created_at',
    `o, n::text, '\\x00', gen_random_uuid(), hour, '{}', hour`,
  ],
  absences: ['user_id, kind, at', `o, 'no_face', hour`],
  translations: ['key, sealed, at', `n::text, '\\x00', hour`],
  message_originals: ['message_id, dialog_id, sender_id, text, at', `n, o, o, 'A text', hour`],
  outbox: ['kind, payload, done_at', `'growth', '{}', hour`],
  users: ['id, created_at, erased_at', `n, hour - interval '1 hour', hour`],
}

const testApp = await openTestApp()
try {
  await measure()
} finally {
  await testApp.close()
}

async function measure(): Promise<void> {
  const boris = await addPerson(testApp, 'boris')
  const works = await createRequests(boris)
  const rules = retentionWorks(testApp)
  await fill(1, ROWS)
  const small = { times: await timeAll(works), pages: await countAll({ ...works, ...rules }) }
  await fill(ROWS + 1, ROWS * TIMES)
  const large = { times: await timeAll(works), pages: await countAll({ ...works, ...rules }) }
  console.log(
    `  ${Object.keys(TABLES).length} tables with ${ROWS} rows each, then ${ROWS * TIMES}; a bare query ${small.times[BARE]!.toFixed(2)} ms, then ${large.times[BARE]!.toFixed(2)} ms`,
  )
  const grown = (name: string) => large.pages[name]! / Math.max(1, small.pages[name]!)
  for (const name of Object.keys(works)) {
    const inBare = ({ times }: typeof small) => times[name]! / times[BARE]!
    console.log(
      `  ${name}: ${small.pages[name]} pages, then ${large.pages[name]} = ${grown(name).toFixed(2)}x (allowed 2x); ${inBare(small).toFixed(1)}, then ${inBare(large).toFixed(1)} bare queries`,
    )
  }
  const [worst, next] = Object.keys(rules).toSorted((one, other) => grown(other) - grown(one))
  for (const name of [worst!, next!])
    console.log(
      `  ${name}, which grew most: ${small.pages[name]} pages, then ${large.pages[name]} = ${grown(name).toFixed(2)}x (allowed 4x)`,
    )
}

type Work = () => Promise<unknown>

/** The requests of a user, who has the same rows before and after. */
async function createRequests(boris: TestUser): Promise<Record<string, Work>> {
  const anna = await addPerson(testApp, 'anna')
  await testApp.duet('premium', boris.id, '--days', 30)
  await testApp.duet('grant', boris.id, 1_000, 'message', '--reason', 'bench')
  await testApp.setting('first_writes_unanswered', '1000')
  const dialogId = await dialogBetween(boris, anna)
  for (let sent = 0; sent < OWN_MESSAGES; sent += 1) {
    await writeMessage(boris, dialogId, 'A text of usual length, as users write')
    await testApp.advance('1 s')
  }
  const { change_id } = await boris.auth()
  const exportAll = async () => {
    for await (const part of testApp.app.exportUser(boris.id)) void part
  }
  return {
    [BARE]: () =>
      testApp.app.db.selectFrom('users').selectAll().where('id', '=', boris.id).execute(),
    'a run of the retention with nothing to delete': () => testApp.app.jobs.run('retention'),
    'a page of changes': () => boris.act('GET_CHANGES', { since: Math.max(0, change_id - 50) }),
    'a page of messages': () => boris.act('GET_DIALOG_MESSAGES', { dialogId }),
    'a page of notices': () => boris.get('notices'),
    'an export': exportAll,
  }
}

/** Each rule alone, because the run of all has a price of its own that hides a rule that grows. */
function retentionWorks({ app }: TestApp): Record<string, Work> {
  return Object.fromEntries(
    retentionRules(modules).map((rule): [string, Work] => {
      const purge = () => {
        const before = app.clock.now().subtract({ hours: 24 * rule.keepDays(app) })
        const walk = { from: Temporal.Instant.fromEpochMilliseconds(0) }
        return app.transact((tx) => rule.purge(tx, before, rule.batchRows ?? 5_000, walk))
      }
      return [`the rule ${rule.name}`, purge]
    }),
  )
}

async function fill(from: number, to: number): Promise<void> {
  const now = `timestamptz '${testApp.clock.now().toString()}'`
  await runAsOwner(
    testApp.database,
    'set session_replication_role = replica',
    ...[0, 1].map(
      (back) => `select create_month_partitions('changes', ${now} - interval '${back} month')`,
    ),
    ...Object.entries(TABLES).map(
      ([table, [columns, row]]) => `
        insert into ${table} (${columns})
        select ${row} from (
          select ${OTHERS} + n as n, ${OTHERS} + n / ${ROWS_OF_ONE} as o, moment as now, moment - n % 20 * interval '1 hour' as hour
          from generate_series(${from}, ${to}) n, (select ${now} as moment) moments) rows`,
    ),
    `vacuum analyze ${Object.keys(TABLES).join(', ')}`,
  )
  const { rows } = await sql<{
    rows: number
  }>`select count(*)::integer as rows from changes`.execute(testApp.app.db)
  if (rows[0]!.rows < to) throw new Error(`changes has ${rows[0]!.rows} rows`)
}

/** Interleaved, so that a moment of another load touches all. Milliseconds, medians. */
async function timeAll(works: Record<string, Work>): Promise<Record<string, number>> {
  const found = Object.fromEntries(Object.keys(works).map((name) => [name, [] as number[]]))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    // No limit of the rates is met.
    await testApp.advance('3 s')
    for (const [name, work] of Object.entries(works)) {
      const began = performance.now()
      await work()
      if (round >= 0) found[name]!.push(performance.now() - began)
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, times]) => [name, median(times)]))
}

/** The pages that each work reads. */
async function countAll(works: Record<string, Work>): Promise<Record<string, number>> {
  const nothing = await countPages(testApp, async () => {})
  const found: Record<string, number> = {}
  for (const [name, work] of Object.entries(works)) {
    await testApp.advance('3 s')
    found[name] = Math.max(0, (await countPages(testApp, work)) - nothing)
  }
  return found
}
