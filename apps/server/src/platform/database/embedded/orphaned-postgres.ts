import { readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from './process-lock.ts'

const LOOK_EVERY_MS = 20
const GRACE_MS: [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 3_000],
  ['SIGKILL', 3_000],
]

/**
 * Stops the PostgreSQL that an earlier process of ours left running on this cluster (where the system could not tie the two).
 * Only for the holder of the folder's lock.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
  if (!isRunning(pid)) return
  if (!(await servesCluster(pid, cluster))) {
    // The number belongs to somebody else by now, and PostgreSQL would believe it to be alive.
    await rm(file, { force: true })
    return
  }
  for (const [signal, grace_ms] of GRACE_MS) {
    if (!signalled(pid, signal)) return
    for (let waitedMs = 0; waitedMs < grace_ms; waitedMs += LOOK_EVERY_MS) {
      // A process whose end nobody has looked at still has its number, but no folder.
      if (!isRunning(pid) || !(await servesCluster(pid, cluster))) return
      await sleep(LOOK_EVERY_MS)
    }
  }
}

async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return true
  // PostgreSQL works from inside its cluster.
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
