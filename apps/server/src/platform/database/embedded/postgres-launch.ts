import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { type Binaries, copyBinaries } from './postgres-binaries.ts'
import { StartRefused } from '../start-refused.ts'
import { canEnter, type SystemUser } from './system-user.ts'

/** Where only root can write and everybody can read. */
const COPIES = '/var/cache/duet'
const LOOK_PAST = ['--inh-caps=-all,+dac_read_search', '--ambient-caps=-all,+dac_read_search']

/** Starts programs of PostgreSQL as the right account, so that they die with us where the system can do that. */
export interface Launcher {
  binaries: Binaries
  user: SystemUser | undefined
  launch(program: string, args: string[]): ChildProcess
}

/**
 * @param dataDir the folder that PostgreSQL must be able to enter
 * @throws StartRefused when the account cannot reach it
 */
export function launcherFor(
  bundled: Binaries,
  dataDir: string,
  user: SystemUser | undefined,
): Launcher {
  const tied = process.platform === 'linux' && works(['--pdeathsig', 'INT'])
  const wrapper = tied ? ['--pdeathsig', 'INT'] : []
  const switched = tied && user !== undefined
  if (switched) wrapper.push(`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups')
  let binaries = bundled
  if (user !== undefined) {
    // A clone below /root or another closed home. PostgreSQL must reach its programs in the plain way, so they are copied;
    // its data stay, and the account is allowed to look past closed folders, and nothing more.
    const reachesData = canEnter(dataDir, user)
    if (!reachesData) {
      if (!switched || !works([...wrapper, ...LOOK_PAST]))
        throw new StartRefused(unreachable(dataDir))
      wrapper.push(...LOOK_PAST)
    }
    if (!canEnter(bundled.folder, user))
      binaries = copyBinaries(bundled, reachesData ? dataDir : COPIES)
  }
  return {
    binaries,
    user,
    launch: (program, args) =>
      spawn(tied ? 'setpriv' : program, tied ? [...wrapper, '--', program, ...args] : args, {
        cwd: '/',
        env: {
          PATH: process.env['PATH'],
          SystemRoot: process.env['SystemRoot'],
          LC_ALL: 'C',
          TZ: 'UTC',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        // A signal meant for us (Ctrl+C goes to the whole group) must not reach the database before we have drained.
        detached: process.platform !== 'win32',
        ...(user !== undefined && !switched ? { uid: user.uid, gid: user.gid } : {}),
      }),
  }
}

function works(wrapper: string[]): boolean {
  return spawnSync('setpriv', [...wrapper, '--', 'true'], { stdio: 'ignore' }).status === 0
}

function unreachable(dataDir: string): string {
  return (
    `PostgreSQL may not run as root, and its own account cannot enter ${dataDir}: ` +
    'set DATA_DIR to a folder that others may enter (such as /var/lib/duet), or start as an ordinary user.'
  )
}
