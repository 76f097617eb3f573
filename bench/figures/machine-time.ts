import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts the time of a process in hundredths of a second. */
const TICK_MS = 10

/** The CPU time that a PostgreSQL has used in all its processes, living and ended, in milliseconds. Linux only. */
export function databaseCpuMs(postmasterPid: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = findStat(name)
    if (!fields) continue
    const [parent, user, system, endedUser, endedSystem] = fields
    if (Number(name) === postmasterPid) ticks += user + system + endedUser + endedSystem
    else if (parent === postmasterPid) ticks += user + system
  }
  return ticks * TICK_MS
}

export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

type Stat = [parent: number, user: number, system: number, endedUser: number, endedSystem: number]

function findStat(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in brackets, may contain blanks.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return [fields[1]!, fields[11]!, fields[12]!, fields[13]!, fields[14]!]
  } catch {
    // The process ended while the list was read.
    return undefined
  }
}
