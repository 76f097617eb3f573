import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The numeric ids of an account of the operating system. */
export interface SystemUser {
  uid: number
  gid: number
}

const OWN_NAME = 'duet-db'
const FALLBACK_NAMES = ['postgres', 'nobody']

/**
 * The account that runs PostgreSQL if this process is root, because PostgreSQL refuses to run as root. A
 * missing account is created. Undefined if this process is not root.
 */
export function databaseUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const known = named(OWN_NAME)
  if (known !== undefined) return known
  spawnSync(
    'useradd',
    ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', OWN_NAME],
    {
      stdio: 'ignore',
    },
  )
  for (const name of [OWN_NAME, ...FALLBACK_NAMES]) {
    const user = named(name)
    if (user !== undefined) return user
  }
  return undefined
}

function named(name: string): SystemUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((row) => row.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** True when the account may enter this folder and all folders above it (by mode bits; access lists are not checked). */
export function canEnter(folder: string, user: SystemUser): boolean {
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    const { mode, uid, gid } = statSync(at)
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === dirname(at)) return true
  }
}
