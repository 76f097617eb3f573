import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Limits of a program that reads files of users. */
export interface SandboxLimits {
  /** Of the memory that the program may write to (RLIMIT_DATA). */
  readonly memory_bytes: number
  /** Of each file that the program writes. */
  readonly file_bytes: number
  /** Of processor time in all; absent: a program that is used again and again. */
  readonly cpu_seconds?: number
}

export interface SandboxedCommand {
  readonly command: string
  readonly args: readonly string[]
}

const PRLIMIT = '/usr/bin/prlimit'
const UNSHARE = '/usr/bin/unshare'
const NICE = '/usr/bin/nice'
const NO_NETWORK = ['--map-root-user', '--net']

let networkCanBeCut: boolean | undefined

/** The means of this machine: Linux has `prlimit`; a container may forbid the network namespaces of `unshare`. */
export function sandboxMeans(): { limits: boolean; no_network: boolean } {
  networkCanBeCut ??=
    existsSync(UNSHARE) &&
    spawnSync(UNSHARE, [...NO_NETWORK, '/bin/true'], { stdio: 'ignore' }).status === 0
  return { limits: existsSync(PRLIMIT), no_network: networkCanBeCut }
}

/** The command with limits, low priority and without a network, as far as this machine has the means. */
export function sandboxed(
  { memory_bytes, file_bytes, cpu_seconds }: SandboxLimits,
  command: string,
  args: readonly string[],
): SandboxedCommand {
  const { limits, no_network } = sandboxMeans()
  const line = [
    ...(no_network ? [UNSHARE, ...NO_NETWORK] : []),
    ...(existsSync(NICE) ? [NICE, '-n', '10'] : []),
    ...(limits
      ? [
          PRLIMIT,
          `--data=${memory_bytes}`,
          `--fsize=${file_bytes}`,
          '--core=0',
          ...(cpu_seconds === undefined ? [] : [`--cpu=${cpu_seconds}`]),
        ]
      : []),
    command,
    ...args,
  ]
  return { command: line[0]!, args: line.slice(1) }
}
