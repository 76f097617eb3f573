import { existsSync } from 'node:fs'
import { run } from './program.ts'

const UPDATE_LIMIT_MS = 5 * 60_000
const INSTALL_LIMIT_MS = 10 * 60_000

export interface DebianPackage {
  readonly name: string
  readonly file: string
  readonly for: string
  readonly required: boolean
}

/** What the machine must have beside Node. `file` is the proof that it is there. */
export const CHROMIUM: DebianPackage = {
  name: 'chromium',
  file: '/usr/bin/chromium',
  for: 'the journeys',
  required: true,
}
export const REDIS: DebianPackage = {
  name: 'redis-server',
  file: '/usr/bin/redis-server',
  for: 'the Redis forms of the ports',
  required: false,
}
export const COTURN: DebianPackage = {
  name: 'coturn',
  file: '/usr/bin/turnserver',
  for: 'calls through a relay',
  required: false,
}
export const PGBENCH: DebianPackage = {
  name: 'postgresql-contrib',
  file: '/usr/bin/pgbench',
  for: 'the baseline of bench/ledger',
  required: false,
}

/**
 * Installs what is missing, where that is possible: on Debian, as root. Answers with one sentence per package that stays missing
 * though it is required; an optional one that cannot be had is only said.
 */
export async function ensurePackages(
  packages: DebianPackage[],
  say: (line: string) => void,
): Promise<string[]> {
  const missing = packages.filter(({ file }) => !existsSync(file))
  if (missing.length === 0) return []
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const names = missing.map(({ name }) => name)
    say(`installing from Debian: ${names.join(', ')} …`)
    // RUNLEVEL=1 keeps the packages' own services from starting: tests start what they need on their own ports.
    const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    await run('apt-get', ['update', '-q'], { env, signal: AbortSignal.timeout(UPDATE_LIMIT_MS) })
    for (const name of names) {
      const args = ['install', '-y', '-q', '--no-install-recommends', name]
      await run('apt-get', args, { env, signal: AbortSignal.timeout(INSTALL_LIMIT_MS) })
    }
  }
  const still = missing.filter(({ file }) => !existsSync(file))
  for (const { name, for: purpose } of still.filter(({ required }) => !required))
    say(`without ${name}: ${purpose} cannot be tried here`)
  return still
    .filter(({ required }) => required)
    .map(
      ({ name, for: purpose }) =>
        `${name} is missing, which ${purpose} need: install it with \`apt-get install ${name}\` as root.`,
    )
}
