import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDatabase } from './template.ts'

const COUNT_ROWS = 'select count(*)::int4 as count from outbox'

test('two databases of one test run are independent', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
  await one.pool.query(`insert into outbox (kind, payload) values ('k', '1')`)
  assert.deepEqual((await one.pool.query(COUNT_ROWS)).rows, [{ count: 1 }])
  assert.deepEqual((await other.pool.query(COUNT_ROWS)).rows, [{ count: 0 }])
  await Promise.all([one.stop(), other.stop()])
})

test('the databases of a test process that was killed are dropped', async () => {
  const program = `
    import { freshDatabase } from ${JSON.stringify(join(import.meta.dirname, 'template.ts'))}
    console.log((await freshDatabase()).connection.database)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [bytes] = await once(child.stdout, 'data')
  const name = String(bytes).trim()
  const mine = await freshDatabase()
  const exists = async () =>
    (await mine.pool.query('select from pg_database where datname = $1', [name])).rowCount === 1
  assert.ok(await exists())
  child.kill('SIGKILL')
  while (await exists()) await new Promise((done) => setImmediate(done))
  await mine.stop()
})
