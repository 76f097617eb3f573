import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Launcher } from './postgres-launch.ts'
import { StartRefused } from '../../../lib/configuration/start-refused.ts'
import type { SystemUser } from './system-user.ts'

const MAJOR = '18'

/** The superuser of an embedded cluster, who owns the tables: for migrations, the timetable and restoring. */
export const CLUSTER_USER = 'duet'

/** Creates the cluster under another name and renames it, so that an interrupted start leaves nothing that looks like a database. */
export async function createCluster(
  cluster: string,
  launcher: Launcher,
  { password_file, durable }: { password_file: string | undefined; durable: boolean },
): Promise<void> {
  const draft = `${cluster}.draft`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  if (launcher.user !== undefined) await chown(draft, launcher.user.uid, launcher.user.gid)
  const auth =
    password_file === undefined
      ? ['--auth=trust']
      : ['--auth=scram-sha-256', `--pwfile=${password_file}`]
  // The built-in locale gives the same order and letter case on every system, whatever locales it has.
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  const child = launcher.launch(launcher.binaries.initdb, [
    '-D',
    draft,
    `--username=${CLUSTER_USER}`,
    ...auth,
    ...locale,
    ...(durable ? [] : ['--no-sync']),
  ])
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((done) => {
    child.once('close', done).once('error', (error) => {
      output += error.message
      done(null)
    })
  })
  if (code !== 0)
    throw new StartRefused(
      `The database could not be created in ${cluster}: ${failureReason(output.split('\n'))}`,
    )
  await rename(draft, cluster)
  if (durable && process.platform !== 'win32') {
    // Without it, a power failure could lose the name of a database that has already confirmed a commit.
    const folder = await open(dirname(cluster))
    await folder.sync().finally(() => folder.close())
  }
}

export async function refuseOtherMajor(cluster: string): Promise<void> {
  const major = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (major === MAJOR || major === '') return
  throw new StartRefused(
    `${cluster} was created by PostgreSQL ${major} and this program contains PostgreSQL ${MAJOR}: restore a backup into a new DATA_DIR.`,
  )
}

/** The account that created the cluster must run it; undefined when this process cannot switch accounts or root owns it. */
export async function findOwner(cluster: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0 || !existsSync(cluster)) return undefined
  const { uid, gid } = await stat(cluster)
  return uid === 0 ? undefined : { uid, gid }
}

export function passwordFile(home: string): string {
  return join(home, 'db-password')
}

/** Where sockets have no owner (Windows), a password keeps other accounts of the machine out. */
export async function readOrCreatePassword(home: string): Promise<string> {
  const existing = await readFile(passwordFile(home), 'utf8').catch(() => undefined)
  if (existing !== undefined) return existing
  const password = randomBytes(24).toString('hex')
  await writeFile(passwordFile(home), password, { mode: 0o600 })
  return password
}

/** The most useful lines of PostgreSQL's output, as one line. */
export function failureReason(lines: string[]): string {
  const useful = lines.filter((line) => /FATAL|PANIC|error|denied|HINT/i.test(line))
  return (useful.length > 0 ? useful : lines).slice(-3).join(' ') || 'it printed nothing.'
}
