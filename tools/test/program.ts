import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { failed, passed, type TestResult } from './result.ts'

/** Only the end of a very long output is kept: the last lines name what went wrong. */
const OUTPUT_LIMIT_BYTES = 256 * 1024
/** After this a program that ignores SIGTERM is killed. */
const PATIENCE_MS = 5_000

export interface Ended {
  code: number
  output: string
  timed_out: boolean
}

/** Runs a program to its end, its two outputs in one string. Stops it when `signal` aborts. Never throws for a bad exit code. */
export async function run(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal } = {},
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-OUTPUT_LIMIT_BYTES)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const stop = () => {
    killGroup(child.pid, 'SIGTERM')
    setTimeout(() => killGroup(child.pid, 'SIGKILL'), PATIENCE_MS).unref()
  }
  options.signal?.addEventListener('abort', stop, { once: true })
  try {
    const code = await new Promise<number>((resolve) => {
      child.once('error', (error) => {
        output += String(error)
        resolve(127)
      })
      child.once('close', (exit, signal) => resolve(signal ? 128 : (exit ?? 1)))
    })
    return {
      code,
      output: stripVTControlCharacters(output),
      timed_out: options.signal?.aborted ?? false,
    }
  } finally {
    options.signal?.removeEventListener('abort', stop)
  }
}

/** A check that is a program: it passes with exit code 0, and its output explains everything else. */
export async function checkByProgram(
  name: string,
  command: string,
  args: string[],
  options: Parameters<typeof run>[2],
): Promise<TestResult> {
  const { code, output, timed_out } = await run(command, args, options)
  if (timed_out) return failed(name, `stopped after its time limit\n${output}`)
  return code === 0
    ? passed()
    : failed(name, output.trim() || `${command} ended with code ${code} and said nothing`)
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Already gone, which is what was wanted.
  }
}
