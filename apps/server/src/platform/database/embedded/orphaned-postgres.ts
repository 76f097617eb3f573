import { readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from './process-lock.ts'

const POLL_MS = 20
const GRACE_MS: [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 3_000],
  ['SIGKILL', 3_000],
]

/**
 * Stops a PostgreSQL that an earlier server process left running on this cluster. On some systems a child
 * does not end with its parent. Only the holder of the folder's lock may call this.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
  if (!isRunning(pid)) return
  if (!(await servesCluster(pid, cluster))) {
    // Another process has this id now, and PostgreSQL would take it for a running server.
    await rm(file, { force: true })
    return
  }
  for (const [signal, grace_ms] of GRACE_MS) {
    if (!signalled(pid, signal)) return
    for (let waitedMs = 0; waitedMs < grace_ms; waitedMs += POLL_MS) {
      // A zombie process still has its id, but no working directory.
      if (!isRunning(pid) || !(await servesCluster(pid, cluster))) return
      await sleep(POLL_MS)
    }
  }
}

async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return true
  // The working directory of PostgreSQL is its cluster.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return folder === cluster
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
