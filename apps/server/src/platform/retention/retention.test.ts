import { deepEqual, equal, rejects } from 'node:assert/strict'
import { sql } from 'kysely'
import { story } from '@duet/testkit/test-app.ts'
import type { TestApp } from '@duet/testkit/test-app.ts'
import type { Tx } from '../../core/app.ts'
import { modules } from '../../modules.ts'
import { enforceRetention, retentionRules, retentionRuns } from './retention.ts'
import { deleteRows } from './retention-rule.ts'

const KEEP_DAYS = 10

async function absences({ app }: TestApp, user_id: number, agesDays: readonly number[]) {
  const rows = agesDays.map((days) => ({
    user_id,
    kind: 'no_face',
    at: app.clock.now().subtract({ hours: 24 * days }),
  }))
  await app.db.insertInto('absences').values(rows).execute()
}

const ages = async ({ app }: TestApp) =>
  (await app.db.selectFrom('absences').select('at').orderBy('at').execute()).map(({ at }) =>
    Math.round(app.clock.now().since(at).total('hours') / 24),
  )

const rule = deleteRows('absences', 'at', () => KEEP_DAYS)

story(
  'rows older than the declared days are deleted, younger ones stay',
  async ({ testApp, anna }) => {
    await absences(testApp, anna.id, [1, 9, 11, 400])
    await enforceRetention(testApp.app, [rule])
    deepEqual(await ages(testApp), [9, 1])
  },
)

story(
  'a run is bounded; the next one continues and records when it is complete',
  async ({ testApp, anna }) => {
    await absences(testApp, anna.id, [20, 21, 22, 23, 24])
    const run = () => enforceRetention(testApp.app, [rule], { batch_rows: 2, batches_max: 1 })
    const last = async () => {
      const { deleted, is_complete } = (await retentionRuns(testApp.app)).find(
        (one) => one.rule === 'absences',
      )!
      return [deleted, is_complete]
    }
    await run()
    deepEqual([await last(), (await ages(testApp)).length], [[2, false], 3])
    await run()
    await run()
    deepEqual([await last(), (await ages(testApp)).length], [[1, true], 0])
  },
)

story('a rule that fails is reported and does not stop the others', async ({ testApp, anna }) => {
  await absences(testApp, anna.id, [20])
  const broken = {
    name: 'broken',
    keepDays: () => 1,
    purge: () => Promise.reject(new Error('no table')),
  }
  await rejects(enforceRetention(testApp.app, [broken, rule]), AggregateError)
  equal((await ages(testApp)).length, 0)
  const [absencesRun, brokenRun] = await retentionRuns(testApp.app)
  deepEqual([absencesRun?.error, brokenRun?.error], [null, 'Error: no table'])
})

story('a batch of a rule that meets the limit of a statement is halved', async ({ testApp }) => {
  const sizes: number[] = []
  const slow = {
    name: 'slow',
    keepDays: () => 1,
    batchRows: 200,
    async purge(tx: Tx, _before: Temporal.Instant, limit: number) {
      sizes.push(limit)
      if (limit > 50) {
        await sql`set local statement_timeout = 1`.execute(tx)
        await sql`select pg_sleep(1)`.execute(tx)
      }
      return sizes.length > 3 ? 0 : limit
    },
  }
  await enforceRetention(testApp.app, [slow])
  deepEqual(sizes, [200, 100, 50, 50])
})

story('every declared rule runs on the real schema', async ({ testApp }) => {
  await testApp.app.jobs.run('retention')
  const names = (await retentionRuns(testApp.app)).map((one) => one.rule)
  deepEqual(
    names,
    retentionRules(modules)
      .map(({ name }) => name)
      .sort(),
  )
})

story('a btree index leads with the column by which a rule deletes', async ({ testApp }) => {
  // Where rows are deleted, a block range of a brin index covers rows of all ages.
  const { rows } = await sql<{ name: string }>`
    select i.indrelid::regclass || '.' || a.attname as name
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
    where m.amname = 'btree'`.execute(testApp.app.db)
  const leading = new Set(rows.map(({ name }) => name))
  const columns = retentionRules(modules).flatMap(({ name, column }) =>
    column === undefined ? [] : [`${name}.${column}`],
  )
  deepEqual(
    columns.filter((column) => !leading.has(column)),
    [],
  )
})

story('a deleted row finds what refers to it by an index', async ({ testApp }) => {
  const { rows } = await sql<{ name: string }>`
    select c.conrelid::regclass || '.' || a.attname as name
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not exists (
      select from pg_index i
      where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
        -- A partial index serves only where its condition follows from the comparison with a value.
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = '(' || a.attname || ' IS NOT NULL)'))
    order by 1`.execute(testApp.app.db)
  deepEqual(rows, [])
})
