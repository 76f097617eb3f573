import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { type Binaries, copyBinaries } from './postgres-binaries.ts'
import { StartRefused } from '../../../lib/configuration/start-refused.ts'
import { canEnter, type SystemUser } from './system-user.ts'

/** Only root can write here, and every account can read. */
const COPIES_FOLDER = '/var/cache/duet'
const READ_SEARCH_CAPABILITIES = [
  '--inh-caps=-all,+dac_read_search',
  '--ambient-caps=-all,+dac_read_search',
]

/** Starts programs of PostgreSQL under the right account. On Linux they end with this process. */
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
  const isTied = process.platform === 'linux' && works(['--pdeathsig', 'INT'])
  const wrapper = isTied ? ['--pdeathsig', 'INT'] : []
  const isSwitched = isTied && user !== undefined
  if (isSwitched) wrapper.push(`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups')
  let binaries = bundled
  if (user !== undefined) {
    // The checkout may be below /root or another closed home directory. PostgreSQL must reach its programs,
    // so they are copied. Its data are not moved: the account gets the single capability to pass through
    // closed folders.
    const reachesData = canEnter(dataDir, user)
    if (!reachesData) {
      if (!isSwitched || !works([...wrapper, ...READ_SEARCH_CAPABILITIES]))
        throw new StartRefused(unreachable(dataDir))
      wrapper.push(...READ_SEARCH_CAPABILITIES)
    }
    if (!canEnter(bundled.folder, user))
      binaries = copyBinaries(bundled, reachesData ? dataDir : COPIES_FOLDER)
  }
  return {
    binaries,
    user,
    launch: (program, args) =>
      spawn(isTied ? 'setpriv' : program, isTied ? [...wrapper, '--', program, ...args] : args, {
        cwd: '/',
        env: {
          PATH: process.env['PATH'],
          SystemRoot: process.env['SystemRoot'],
          LC_ALL: 'C',
          TZ: 'UTC',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        // A signal to this process (Ctrl+C goes to the whole group) must not reach the database before the server has drained.
        detached: process.platform !== 'win32',
        ...(user !== undefined && !isSwitched ? { uid: user.uid, gid: user.gid } : {}),
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
