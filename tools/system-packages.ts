/**
 * `npm run system-packages [-- name …]`: installs the Debian packages that tests and benches need, all or the named ones. It is the
 * only command that installs on the machine. `npm test` and `npm run bench` call it once, as root on Debian, when one is missing.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const UPDATE_LIMIT_MS = 5 * 60_000
const INSTALL_LIMIT_MS = 10 * 60_000
const APT_GET = '/usr/bin/apt-get'
const COMMAND = 'npm run system-packages'

export interface SystemPackage {
  /** The name in Debian. */
  readonly name: string
  /** The file that exists when it is installed. */
  readonly file: string
  readonly purpose: string
  /** Without it the step fails; without an optional one its part is left out. */
  readonly required: boolean
}

export const CHROMIUM: SystemPackage = {
  name: 'chromium',
  file: '/usr/bin/chromium',
  purpose: 'browser tests',
  required: true,
}
export const REDIS: SystemPackage = {
  name: 'redis-server',
  file: '/usr/bin/redis-server',
  purpose: 'tests of the Redis forms of the ports',
  required: false,
}
export const COTURN: SystemPackage = {
  name: 'coturn',
  file: '/usr/bin/turnserver',
  purpose: 'tests of calls through a relay',
  required: false,
}
export const PGBENCH: SystemPackage = {
  name: 'postgresql-contrib',
  file: '/usr/bin/pgbench',
  purpose: 'the baseline of bench/ledger',
  required: false,
}
const SYSTEM_PACKAGES = [CHROMIUM, REDIS, COTURN, PGBENCH]

/** Runs this command for the missing packages if it can install them here: as root on Debian. Otherwise does nothing. */
export function installWhereRoot(needed: readonly SystemPackage[]): void {
  const missing = missingPackages(needed).map(({ name }) => name)
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync(APT_GET)) return
  const command = fileURLToPath(import.meta.url)
  spawnSync(process.execPath, [command, ...missing], { stdio: ['ignore', 'inherit', 'inherit'] })
}

/** One sentence for each package that is not installed: required ones are failures, the others notes. */
export function packageComplaints(needed: readonly SystemPackage[]): {
  failures: string[]
  notes: string[]
} {
  const sentences = (required: boolean) =>
    missingPackages(needed.filter((each) => each.required === required)).map(
      ({ name, purpose }) => `${name} is not installed (${purpose}): run \`${COMMAND}\` as root.`,
    )
  return { failures: sentences(true), notes: sentences(false) }
}

function missingPackages(packages: readonly SystemPackage[]): SystemPackage[] {
  return packages.filter(({ file }) => !existsSync(file))
}

/** Installs the named packages one by one, so that one that Debian does not have stops no other. Returns the exit code. */
function install(names: readonly string[]): number {
  const unknown = names.filter((name) => !SYSTEM_PACKAGES.some((each) => each.name === name))
  if (unknown.length > 0) {
    console.error(`Not a package that Duet needs: ${unknown.join(', ')}`)
    return 2
  }
  const chosen = SYSTEM_PACKAGES.filter(({ name }) => names.length === 0 || names.includes(name))
  const missing = missingPackages(chosen)
  if (missing.length === 0) return 0
  if (process.getuid?.() !== 0 || !existsSync(APT_GET)) {
    const list = missing.map(({ name }) => name).join(' ')
    console.error(`Not root on Debian. Install by your own means: ${list}`)
    return 1
  }
  console.log(`installing from Debian: ${missing.map(({ name }) => name).join(', ')} …`)
  aptGet(['update', '-q'], UPDATE_LIMIT_MS)
  for (const { name } of missing)
    aptGet(['install', '-y', '-q', '--no-install-recommends', name], INSTALL_LIMIT_MS)
  const { failures, notes } = packageComplaints(missing)
  for (const sentence of [...failures, ...notes]) console.error(sentence)
  return failures.length + notes.length > 0 ? 1 : 0
}

function aptGet(args: string[], limitMs: number): void {
  // RUNLEVEL=1 prevents the packages from starting their services: tests start what they need on their own ports.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const ended = spawnSync(APT_GET, args, { env, timeout: limitMs, encoding: 'utf8' })
  if (ended.status !== 0) console.error(`apt-get ${args.join(' ')} failed:\n${ended.stderr}`)
}

if (import.meta.main) process.exit(install(process.argv.slice(2)))
