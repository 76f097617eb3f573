/**
 * `npm run system-packages [-- name …]` installs the Debian packages that tests and benches need: all, or
 * the named packages. No other command installs on the machine. If a package is missing, `npm test` and
 * `npm run bench` call it once, as root on Debian.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const UPDATE_LIMIT_MS = 5 * 60_000
const INSTALL_LIMIT_MS = 10 * 60_000
const APT_GET = '/usr/bin/apt-get'
/** If a package would ask which files to take, the files of the machine stay. Waits for another apt-get. */
const APT_OPTIONS = [
  '-o',
  'Dpkg::Options::=--force-confdef',
  '-o',
  'Dpkg::Options::=--force-confold',
  '-o',
  'DPkg::Lock::Timeout=60',
]
/** Debian asks this program before it starts a service; 101 is "not permitted". */
const POLICY = '/usr/sbin/policy-rc.d'
const NO_SERVICES = '#!/bin/sh\n# npm run system-packages (Duet): removed when it ends.\nexit 101\n'
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
export const HEADLESS_SHELL: SystemPackage = {
  name: 'chromium-headless-shell',
  file: '/usr/bin/chromium-headless-shell',
  purpose: 'faster journeys; without it they run in chromium',
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
export const FFMPEG: SystemPackage = {
  name: 'ffmpeg',
  file: '/usr/bin/ffmpeg',
  purpose: 'tests of uploaded videos',
  required: false,
}
const SYSTEM_PACKAGES = [CHROMIUM, HEADLESS_SHELL, COTURN, PGBENCH, FFMPEG]

/** Runs this command for the missing packages if it can install them here: as root on Debian. Otherwise does nothing. */
export function installWhereRoot(needed: readonly SystemPackage[]): void {
  const missing = missingPackages(needed).map(({ name }) => name)
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync(APT_GET)) return
  const command = fileURLToPath(import.meta.url)
  spawnSync(process.execPath, [command, ...missing], { stdio: ['ignore', 'inherit', 'inherit'] })
}

/**
 * A sentence for each package that is not installed. Required packages are failures, other packages are
 * notes.
 */
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

/**
 * Installs the named packages one by one, so that a package that Debian lacks stops no other. Returns the
 * exit code.
 */
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
  withoutServices(() => {
    aptGet(['update', '-q'], UPDATE_LIMIT_MS)
    for (const { name } of missing)
      aptGet(['install', '-y', '-q', '--no-install-recommends', name], INSTALL_LIMIT_MS)
  })
  const { failures, notes } = packageComplaints(missing)
  for (const sentence of [...failures, ...notes]) console.error(sentence)
  return failures.length + notes.length > 0 ? 1 : 0
}

function aptGet(args: string[], limitMs: number): void {
  const ended = spawnSync(APT_GET, [...APT_OPTIONS, ...args], {
    env: aptEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: limitMs,
    encoding: 'utf8',
  })
  if (ended.status !== 0) console.error(`apt-get ${args.join(' ')} failed:\n${ended.stderr}`)
}

/**
 * The environment of apt-get. apt-get asks no questions. The scripts of packages run as root, so they
 * inherit only the route to the network: no secret, NODE_OPTIONS or LD_PRELOAD of the shell.
 */
export function aptEnvironment(from: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const proxies = Object.entries(from).filter(([name]) => /^(https?|no|all|ftp)_proxy$/i.test(name))
  return {
    ...Object.fromEntries(proxies),
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    LANG: 'C.UTF-8',
    DEBIAN_FRONTEND: 'noninteractive',
    DEBCONF_NONINTERACTIVE_SEEN: 'true',
    NEEDRESTART_SUSPEND: '1',
    RUNLEVEL: '1',
  }
}

/**
 * Runs `work` while Debian does not start the services of installed packages, because tests start services
 * on their own ports. A policy of the machine stays. A policy that a killed run left behind is removed.
 */
export function withoutServices(work: () => void, policy: string = POLICY): void {
  if (existsSync(policy) && readFileSync(policy, 'utf8') !== NO_SERVICES) {
    work()
    return
  }
  // While apt-get runs, a signal waits: afterwards this process removes the policy before it ends.
  const ending: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const wait = () => process.exit(1)
  for (const signal of ending) process.on(signal, wait)
  try {
    writeFileSync(policy, NO_SERVICES)
    chmodSync(policy, 0o755)
    work()
  } finally {
    rmSync(policy, { force: true })
    for (const signal of ending) process.off(signal, wait)
  }
}

if (import.meta.main) process.exit(install(process.argv.slice(2)))
