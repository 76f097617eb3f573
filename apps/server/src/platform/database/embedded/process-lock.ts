import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const ATTEMPTS = 50
const PAUSE_MS = 20

export interface Holder {
  pid: number
  started: string
  id: string
}
export interface ProcessLock {
  release(): Promise<void>
}

/** A running process holds the lock. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld'
  readonly pid: number
  constructor(pid: number) {
    super(`held by process ${pid}`)
    this.pid = pid
  }
}

/**
 * Takes the lock file for this process. The lock of a dead process is taken over. The lock of a running
 * process is never taken over.
 *
 * The file names its holder by pid and start time, because pids are reused. To replace the file of a dead
 * holder, a process must hold a second lock that is named after that holder. So two processes cannot both
 * take over.
 *
 * @throws LockHeld
 */
export async function takeLock(path: string): Promise<ProcessLock> {
  const holder: Holder = {
    pid: process.pid,
    started: findStart(process.pid) ?? 'unknown',
    id: randomUUID(),
  }
  const draft = `${path}.${holder.id}`
  await writeFile(draft, JSON.stringify(holder), { mode: 0o644 })
  try {
    await claim(path, draft)
  } finally {
    await rm(draft, { force: true })
  }
  return {
    release: async () => {
      const current = await readHolder(path)
      if (current?.id === holder.id) await rm(path, { force: true })
    },
  }
}

async function claim(path: string, draft: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await tryLink(draft, path)) return
    const holder = await readHolder(path)
    if (holder === undefined) continue
    if (isAlive(holder)) throw new LockHeld(holder.pid)
    if (await takeOver(path, draft, holder)) return
    await sleep(PAUSE_MS)
  }
  throw new Error(`the lock ${path} changed its holder during every attempt`)
}

async function takeOver(path: string, draft: string, dead: Holder): Promise<boolean> {
  let takeoverLock: ProcessLock
  try {
    takeoverLock = await takeLock(`${path}.${dead.id.slice(0, 8)}`)
  } catch (error) {
    if (error instanceof LockHeld) return false
    throw error
  }
  try {
    const current = await readHolder(path)
    if (current?.id !== dead.id) return false
    const copy = `${draft}.copy`
    await link(draft, copy)
    await rename(copy, path)
    return true
  } finally {
    await takeoverLock.release()
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>
    return { pid: Number(holder.pid), started: String(holder.started), id: String(holder.id) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (error instanceof SyntaxError) return { pid: 0, started: '', id: 'unreadable' }
    throw error
  }
}

function isAlive(holder: Holder): boolean {
  return isRunning(holder.pid) && findStart(holder.pid) === holder.started
}

/** True when a process with this id exists, of this or another account. */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The start time of the process, in the system's notation: only for comparing. Undefined when there is no process. */
function findStart(pid: number): string | undefined {
  if (process.platform === 'win32') return isRunning(pid) ? 'running' : undefined
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // A zombie process holds nothing any more; its parent has not read its exit code yet.
    return afterName[0] === 'Z' ? undefined : `${boot.slice(0, 8)}:${afterName[19]}`
  } catch {
    return undefined
  }
}
