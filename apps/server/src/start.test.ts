import { equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { openShell } from './platform/operator/shell-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'duet-start-'))
after(() => rm(folder, { recursive: true }))

/** Starts the real program and waits for its end. */
function start(
  env: Record<string, string>,
  file = 'main.ts',
  line: string[] = [],
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, file), ...line], {
      env: { PATH: process.env.PATH!, DATA_DIR: folder, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (piece) => (out += piece))
    child.stderr.on('data', (piece) => (err += piece))
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

/** After the warning that a demo installation has no relay. */
const ONE_SENTENCE = /^(duet: There is no relay [^\n]+\n)?duet: [^\n]+\.\n$/

test('a taken port stops the start with one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  const { code, err } = await start({ PORT: String(port) })
  other.close()
  equal(code, 1)
  match(err, ONE_SENTENCE)
  match(err, new RegExp(`Port ${port} is taken`))
})

test('a bad DATABASE_URL stops the start with one sentence, without the password', async () => {
  const wrong = await start({ DATABASE_URL: 'mysql://duet@db/duet' })
  equal(wrong.code, 1)
  match(wrong.err, ONE_SENTENCE)
  const away = await start({ DATABASE_URL: 'postgres://duet:hidden@127.0.0.1:1/duet' })
  equal(away.code, 1)
  match(away.err, /DATABASE_URL \(127\.0\.0\.1:1\/duet\) cannot be used/)
  equal(away.err.includes('hidden'), false)
})

test(
  'a server serves, keeps others off its folder, and ends in order when it is told to',
  { timeout: 60_000 },
  async () => {
    const home = join(folder, 'home')
    const env = {
      PATH: process.env.PATH!,
      DATA_DIR: home,
      PORT: '0',
      DEMO: 'off',
      LOG_LEVEL: 'warn',
    }
    const server = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = new Promise((resolve) =>
      server.once('exit', (code, signal) => resolve(code ?? signal)),
    )
    for await (const line of createInterface({ input: server.stderr }))
      if (line.includes('serving at')) break
    const second = await start({ DATA_DIR: home, DEMO: 'off', LOG_LEVEL: 'warn' })
    equal(second.code, 1)
    match(
      second.err,
      /Another Duet \(process \d+\) is running on .*home: stop it, or set DATA_DIR to another folder\.\n$/,
    )
    const asked = await start({ DATA_DIR: home }, 'cli.ts', ['doctor'])
    equal((JSON.parse(asked.out) as { running: boolean }).running, true)
    server.kill('SIGTERM')
    equal(await ended, 0)
  },
)

test('the operator’s shell says that no server runs, as JSON', async () => {
  const { code, out } = await start({}, 'cli.ts', ['user', 'show', '1'])
  equal(code, 1)
  match((JSON.parse(out) as { error: string }).error, /No server runs on .*doctor, backup, restore/)
})

test('the operator’s shell passes a line to the server and prints its answer', async () => {
  const shell = await openShell(folder, async ({ line }) => ({ exit_code: 1, answer: { line } }))
  const { code, out } = await start({}, 'cli.ts', ['user', 'show', '1'])
  await shell.close()
  equal(code, 1)
  equal((JSON.parse(out) as { line: string[] }).line.join(' '), 'user show 1')
})
