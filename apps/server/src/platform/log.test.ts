import { equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const LOG = new URL('./log.ts', import.meta.url).href

/** Runs code in a process of its own, because the log writes to the standard output; returns what it printed. */
function printed(code: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  })
  return stdout + stderr
}

const ROW_ERROR = `Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(anna@duet.example)' })`

for (const key of ['err', 'error', 'cause'])
  test(`an error under the key ${key} is logged without the rows that the database quotes`, () => {
    const text = printed(
      `import { createLog } from ${JSON.stringify(LOG)}
      createLog({ log_level: 'info' }).error({ ${key}: ${ROW_ERROR} }, 'failed')`,
    )
    match(text, /duplicate key/)
    match(text, /23505/)
    equal(text.includes('anna@duet.example'), false, text)
  })

test('an error that ends the server is printed without the rows that the database quotes', () => {
  const serve = new URL('../serve.ts', import.meta.url).href
  const text = printed(
    `process.env.PORT = 'no port'
    process.exit = () => {}
    const { serve } = await import(${JSON.stringify(serve)})
    await serve()
    process.removeAllListeners('exit')
    process.emit('uncaughtException', ${ROW_ERROR})`,
  )
  match(text, /duplicate key/)
  equal(text.includes('anna@duet.example'), false, text)
})
