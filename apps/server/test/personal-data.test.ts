import { deepEqual, ok } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { AGED_DAYS_MAX } from '../src/platform/personal-data/personal-data.ts'
import type { PersonalTable } from '../src/core/personal-data.ts'
import { introspect } from '../src/platform/database/introspect.ts'
import { retentionRules } from '../src/platform/retention/retention.ts'

/** Columns with the id of a user where no foreign key says so. */
const ID_OF_USER = /(^|_)(user|owner|blocked|guy|girl|sender|partner|viewer|author|recipient)_id$/

function listMap(testApp: TestApp): readonly PersonalTable[] {
  return testApp.running.modules.flatMap(({ personalData }) => personalData?.tables ?? [])
}

story('every table is in the map of personal data once', async ({ testApp }) => {
  const { tables } = await introspect(testApp.database.pool)
  deepEqual(
    listMap(testApp)
      .map(({ table }) => table)
      .toSorted(),
    tables.toSorted(),
  )
})

story('the map names every column with the id of a user', async ({ testApp }) => {
  const { columns, constraints } = await introspect(testApp.database.pool)
  const named = new Set(
    listMap(testApp).flatMap(({ table, users }) => users.map((column) => `${table}.${column}`)),
  )
  const tables = new Set(listMap(testApp).map(({ table }) => table))
  const referring = constraints.flatMap(({ table, kind, sql }) => {
    const [, column] = /^FOREIGN KEY \((\w+)\) REFERENCES users\(id\)/.exec(sql) ?? []
    return kind === 'f' && column ? [`${table}.${column}`] : []
  })
  const byName = columns
    .filter(({ table, name, type_name }) => {
      return tables.has(table) && type_name === 'int8' && ID_OF_USER.test(name)
    })
    .map(({ table, name }) => `${table}.${name}`)
  deepEqual(
    [...new Set([...referring, ...byName])].filter((column) => !named.has(column)),
    [],
  )
})

/** The columns, as `messages.sender_id`, by which an index finds every row. */
async function findIndexed(testApp: TestApp): Promise<ReadonlySet<string>> {
  const { rows } = await testApp.database.pool.query<{ table: string; column: string }>(`
    select c.relname as "table", a.attname as "column" from pg_index x
    join pg_class c on c.oid = x.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
    where x.indpred is null or pg_get_expr(x.indpred, c.oid) = format('(%I IS NOT NULL)', a.attname)`)
  return new Set(rows.map(({ table, column }) => `${table}.${column}`))
}

story('an erasure finds the rows of a user by an index', async ({ testApp }) => {
  const indexed = await findIndexed(testApp)
  deepEqual(
    listMap(testApp)
      .filter(({ erasure }) => erasure === 'deleted')
      .flatMap(({ table, users }) => users.map((column) => `${table}.${column}`))
      .filter((column) => !indexed.has(column)),
    [],
  )
})

story('an export finds the rows of a user by an index', async ({ testApp }) => {
  const indexed = await findIndexed(testApp)
  deepEqual(
    listMap(testApp)
      .flatMap(({ table, exported }) =>
        typeof exported === 'object' && 'of' in exported
          ? exported.of.map((column) => `${table}.${column}`)
          : [],
      )
      .filter((column) => !indexed.has(column)),
    [],
  )
})

story('what ages is deleted within the promised time', async ({ testApp }) => {
  const days = new Map(
    retentionRules(testApp.running.modules).map(({ name, keepDays }) => [
      name,
      keepDays(testApp.app),
    ]),
  )
  for (const { table, erasure } of listMap(testApp)) {
    if (erasure !== 'aged') continue
    ok((days.get(table) ?? Infinity) <= AGED_DAYS_MAX, table)
  }
})

story('an export has every table that the map promises', async ({ testApp, nina }) => {
  const seen = new Set<string>()
  for await (const part of testApp.app.exportUser(nina.id))
    if ('table' in part) seen.add(part.table)
  deepEqual(
    [...seen].toSorted(),
    listMap(testApp)
      .filter(({ exported }) => exported === 'own' || 'of' in exported)
      .map(({ table }) => table)
      .toSorted(),
  )
})

story('an export of some tables has these alone', async ({ testApp, nina }) => {
  const parts = []
  for await (const part of testApp.app.exportUser(nina.id, new Set(['transfers', 'logins'])))
    parts.push(part)
  deepEqual(
    parts.map((part) => ('table' in part ? part.table : part.path)),
    ['logins', 'transfers'],
  )
})

story(
  'an export has each row of a user who met, wrote, paid and blocked',
  async ({ testApp, boris, anna, vera }) => {
    await testApp.duet('premium', boris.id, '--days', 30)
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    await testApp.duet('grant', boris.id, 5, 'message', '--reason', 'test')
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    await anna.act('ADD_FAVOURITE', { user_id: boris.id })
    const dialogId = await dialogBetween(boris, anna)
    await writeMessage(boris, dialogId, 'Hello at boris@example.com')
    await boris.post('stat/show_girl', { user_id: anna.id })
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await boris.act('TEXT_CHAT_MESSAGE', { session_id: call.session_id, id: 'a', text: 'Hi' })
    boris.signal('LOG', { level: 'info', text: 'a line' })
    await testApp.settle()
    await boris.act('BREAK_SESSION', { session_id: call.session_id })
    await boris.act('BLOCK_USER', { user_id: vera.id })
    const exported: Record<string, number> = {}
    for await (const part of testApp.app.exportUser(boris.id))
      if ('table' in part) exported[part.table] = (exported[part.table] ?? 0) + part.rows.length
    const stored: Record<string, number> = {}
    for (const { table, exported: rule } of listMap(testApp)) {
      if (typeof rule !== 'object' || !('of' in rule)) continue
      const { rows } = await testApp.database.pool.query<{ count: number }>(
        `select count(*)::integer as count from ${table} where ${rule.of.map((column) => `${column} = $1`).join(' or ')}`,
        [boris.id],
      )
      if (rows[0]!.count > 0) stored[table] = rows[0]!.count
    }
    ok(Object.keys(stored).length >= 8, JSON.stringify(stored))
    deepEqual(
      Object.fromEntries(Object.keys(stored).map((table) => [table, exported[table]])),
      stored,
    )
  },
)
