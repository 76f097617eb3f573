import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort, freshFolder } from '@duet/testkit/server-process.ts'

const ROOT = join(import.meta.dirname, '../..')

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`the server of npm start ends when npm gets ${signal}`, async (t) => {
    const folder = await freshFolder('npm-start')
    t.after(() => folder.remove())
    const port = await freePort()
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH!,
        HOME: folder.path,
        NODE_ENV: 'test',
        DEMO: 'off',
        DATA_DIR: folder.path,
        PORT: String(port),
        SECRET_KEY: 'only-for-proofs-0123456789-abcdefghij',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    await serving(npm)
    assert.equal((await fetch(`http://127.0.0.1:${port}/api/ready`)).status, 200)
    npm.kill(signal)
    // The pipes close when the last process that inherited them has ended.
    await once(npm, 'close')
    await assert.rejects(fetch(`http://127.0.0.1:${port}/api/ready`))
  })

/** Resolves when the server says that it serves; rejects with the output when npm ends before. */
function serving(npm: ChildProcess): Promise<void> {
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (piece: Buffer) => {
      output += String(piece)
      if (output.includes('serving at')) resolve()
    }
    npm.stdout?.on('data', read)
    npm.stderr?.on('data', read)
    npm.once('close', () => reject(new Error(`npm ended:\n${output}`)))
  })
}
