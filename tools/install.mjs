/** Makes node_modules what package-lock.json says, and the Node of the project runnable. No dependencies: it runs before any is there. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'

const NODE_MAJOR = 26
/** Shorter lines of npm's are codes and blanks, not what went wrong. */
const SENTENCE_LENGTH = 12
const STAMP = 'node_modules/.duet-lock'

/** Something outside the code stops us; the message is the whole story and needs no stack. */
export class Unusable extends Error {}

/**
 * Installs if needed and returns the absolute path of the Node for everything else.
 *
 * If nothing is to be done, it prints nothing, because the operator's shell prints JSON afterwards.
 *
 * @param {string} root the checkout
 * @returns {string}
 */
export function ensureInstalled(root) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const stamp = createHash('sha256').update(lock).digest('hex')
  if (!hasStamp(root, stamp)) {
    const isComplete = installedMatches(JSON.parse(lock.toString()), hiddenLock(root))
    if (!isComplete || !packagedNode(root)) install(root)
    writeFileSync(join(root, STAMP), stamp)
  }
  return projectNode(root)
}

/**
 * Whether the packages that npm has installed (node_modules/.package-lock.json) match the lock file.
 * Packages for other systems are in the lock file and are not installed.
 */
export function installedMatches(wanted, installed) {
  if (!installed) return false
  for (const [path, entry] of Object.entries(wanted.packages ?? {})) {
    // The workspaces themselves are not installed; their own packages are.
    if (!path.includes('node_modules/')) continue
    const found = installed.packages?.[path]
    if (!found && (entry.optional || entry.os || entry.cpu)) continue
    if (!found || found.version !== entry.version || Boolean(found.link) !== Boolean(entry.link))
      return false
  }
  return true
}

function hasStamp(root, stamp) {
  const file = join(root, STAMP)
  return existsSync(file) && readFileSync(file, 'utf8') === stamp
}

function hiddenLock(root) {
  const file = join(root, 'node_modules/.package-lock.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function install(root) {
  console.error(
    'duet: installing the packages of package-lock.json with npm ci (a minute or two) …',
  )
  const started = Date.now()
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: outsideEnv(root),
    shell: process.platform === 'win32',
  })
  if (npm.error || npm.status !== 0) {
    const log = join(root, 'npm-install.log')
    writeFileSync(log, `${npm.stdout ?? ''}\n${npm.stderr ?? ''}\n${npm.error ?? ''}`)
    const said = (npm.stderr ?? '')
      .split('\n')
      .map((line) => line.replace(/^npm error( \w+)?/, '').trim())
    const first = said.find((line) => line.length > SENTENCE_LENGTH) ?? said.join(' ').trim()
    throw new Unusable(
      `npm ci failed (${first || npm.error?.message || 'it said nothing'}); its whole output is in ${log}.`,
    )
  }
  console.error(`duet: installed in ${Math.round((Date.now() - started) / 1000)} s`)
}

function projectNode(root) {
  const packaged = packagedNode(root)
  if (packaged) return packaged
  if (
    Number(process.versions.node.split('.')[0]) === NODE_MAJOR &&
    !process.execPath.startsWith(root)
  )
    return process.execPath
  rmSync(join(root, STAMP), { force: true })
  throw new Unusable(
    `Duet runs on Node ${NODE_MAJOR}, and npm installed no package with it for ${process.platform} on ${process.arch}. ` +
      `Install Node ${NODE_MAJOR} yourself and run the command again with it.`,
  )
}

/**
 * The Node of the optional package for this system. package-lock.json has its integrity, and npm checks it.
 * A Node that an install script fetches has no such check.
 */
function packagedNode(root) {
  const system = `${process.platform}-${process.arch}`
  return [`node-${system}`, `node-bin-${system}`]
    .map((name) => join(root, 'node_modules', name, 'bin', 'node'))
    .find(isRightNode)
}

function isRightNode(node) {
  if (!existsSync(node)) return false
  const asked = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return asked.status === 0 && asked.stdout.startsWith(`v${NODE_MAJOR}.`)
}

/** npm must not run on the Node that it is about to replace, nor inherit the settings of the `npm run` that started us. */
function outsideEnv(root) {
  const inside = join(root, 'node_modules') + sep
  const env = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (
      /^npm_(config|package|lifecycle|execpath|node_execpath|command)/i.test(name) &&
      name !== 'npm_config_userconfig'
    )
      continue
    env[name] = value
  }
  env.PATH = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !`${folder}${sep}`.startsWith(inside))
    .join(delimiter)
  return env
}
