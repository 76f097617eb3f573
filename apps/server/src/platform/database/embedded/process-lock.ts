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

/** Somebody alive holds the lock. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld'
  readonly pid: number
  constructor(pid: number) {
    super(`held by process ${pid}`)
    this.pid = pid
  }
}

/**
 * Takes the lock file for this process; a dead holder's lock is taken over, a live one's never.
 *
 * The file names its holder by pid and start time, because pids are used again. Only the process that holds the lock
 * named after the dead holder may replace the dead one's file, so two processes cannot both take over.
 *
 * @throws LockHeld
 */
export async function takeLock(path: string): Promise<ProcessLock> {
  const mine: Holder = {
    pid: process.pid,
    started: startOf(process.pid) ?? 'unknown',
    id: randomUUID(),
  }
  const draft = `${path}.${mine.id}`
  await writeFile(draft, JSON.stringify(mine), { mode: 0o644 })
  try {
    await claim(path, draft)
  } finally {
    await rm(draft, { force: true })
  }
  return {
    release: async () => {
      const holder = await readHolder(path)
      if (holder?.id === mine.id) await rm(path, { force: true })
    },
  }
}

async function claim(path: string, draft: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await linked(draft, path)) return
    const holder = await readHolder(path)
    if (holder === undefined) continue
    if (isAlive(holder)) throw new LockHeld(holder.pid)
    if (await tookOver(path, draft, holder)) return
    await sleep(PAUSE_MS)
  }
  throw new Error(`the lock ${path} kept changing hands`)
}

async function tookOver(path: string, draft: string, dead: Holder): Promise<boolean> {
  let succession: ProcessLock
  try {
    succession = await takeLock(`${path}.${dead.id.slice(0, 8)}`)
  } catch (error) {
    if (error instanceof LockHeld) return false
    throw error
  }
  try {
    const still = await readHolder(path)
    if (still?.id !== dead.id) return false
    const copy = `${draft}.heir`
    await link(draft, copy)
    await rename(copy, path)
    return true
  } finally {
    await succession.release()
  }
}

async function linked(from: string, to: string): Promise<boolean> {
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
  return isRunning(holder.pid) && startOf(holder.pid) === holder.started
}

/** Whether a process with this id exists, ours or another user's. */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When the process began, in the system's own words: only good for comparing. Undefined when there is none. */
function startOf(pid: number): string | undefined {
  if (process.platform === 'win32') return isRunning(pid) ? 'running' : undefined
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // A zombie holds nothing any more, its parent just has not looked yet.
    return afterName[0] === 'Z' ? undefined : `${boot.slice(0, 8)}:${afterName[19]}`
  } catch {
    return undefined
  }
}
