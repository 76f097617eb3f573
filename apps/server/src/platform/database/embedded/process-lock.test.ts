import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { LockHeld, takeLock } from './process-lock.ts'

let folder = ''
before(async () => (folder = await mkdtemp(join(tmpdir(), 'duet-lock-'))))
after(() => rm(folder, { recursive: true, force: true }))

/** A process that takes the lock, reports it, and holds the lock until it is killed. */
function contender(path: string) {
  const program = `
    import { takeLock } from ${JSON.stringify(join(import.meta.dirname, 'process-lock.ts'))}
    try { await takeLock(${JSON.stringify(path)}); console.log('held') } catch (error) { console.log(error.name); process.exit() }
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = once(child.stdout, 'data').then(([bytes]) => String(bytes).trim())
  return { child, said }
}

async function killed(child: ReturnType<typeof spawn>) {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test('a running holder keeps the lock, a released lock can be taken again', async () => {
  const path = join(folder, 'release')
  const lock = await takeLock(path)
  await assert.rejects(
    takeLock(path),
    (error) => error instanceof LockHeld && error.pid === process.pid,
  )
  await lock.release()
  await (await takeLock(path)).release()
})

test('the lock of a killed process is taken over by exactly one of many processes', async () => {
  const path = join(folder, 'takeover')
  const first = contender(path)
  assert.equal(await first.said, 'held')
  await killed(first.child)
  const heirs = Array.from({ length: 4 }, () => contender(path))
  const said = await Promise.all(heirs.map((heir) => heir.said))
  assert.deepEqual(said.sort(), ['LockHeld', 'LockHeld', 'LockHeld', 'held'])
  for (const heir of heirs) if (heir.child.exitCode === null) await killed(heir.child)
})

test('a process with the reused id of a dead holder does not count as the holder', async () => {
  const path = join(folder, 'recycled')
  await writeFile(path, JSON.stringify({ pid: process.pid, started: 'another time', id: 'gone' }))
  await (await takeLock(path)).release()
})

test('a lock file that is unreadable after a full disk is taken over', async () => {
  const path = join(folder, 'unreadable')
  await writeFile(path, '{"pid":')
  await (await takeLock(path)).release()
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('unreadable')),
    [],
  )
})
