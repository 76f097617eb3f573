import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { type Binaries, copyBinaries } from './postgres-binaries.ts'
import { StartRefused } from './start-refused.ts'
import { canEnter, type SystemUser } from './system-user.ts'

const READ_PAST = ['--inh-caps=-all,+dac_read_search', '--ambient-caps=-all,+dac_read_search']

/** Starts programs of PostgreSQL as the right account, so that they die with us where the system can do that. */
export type Launcher = {
  binaries: Binaries
  user: SystemUser | undefined
  launch(program: string, args: string[]): ChildProcess
}

/**
 * @param data_dir the folder that PostgreSQL must be able to enter
 * @throws StartRefused when the account cannot reach it
 */
export function launcherFor(bundled: Binaries, data_dir: string, user: SystemUser | undefined): Launcher {
  const tied = process.platform === 'linux' && works(['--pdeathsig', 'INT'])
  let binaries = bundled
  const wrapper = tied ? ['--pdeathsig', 'INT'] : []
  const switched = tied && user !== undefined
  if (switched) wrapper.push(`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups')
  if (user !== undefined && !(canEnter(data_dir, user) && canEnter(bundled.folder, user))) {
    // A clone below /root or another closed home: the account may look past closed folders, and nothing more.
    if (switched && works([...wrapper, ...READ_PAST])) wrapper.push(...READ_PAST)
    else if (canEnter(data_dir, user)) binaries = copyBinaries(bundled, data_dir)
    else throw new StartRefused(unreachable(data_dir))
  }
  return {
    binaries,
    user,
    launch: (program, args) =>
      spawn(tied ? 'setpriv' : program, tied ? [...wrapper, '--', program, ...args] : args, {
        cwd: '/',
        env: { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'], LC_ALL: 'C', TZ: 'UTC' },
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

function unreachable(data_dir: string): string {
  return (
    `PostgreSQL may not run as root, and its own account cannot enter ${data_dir}: ` +
    'set DATA_DIR to a folder that others may enter (such as /var/lib/duet), or start as an ordinary user.'
  )
}
