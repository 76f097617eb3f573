import { spawn } from 'node:child_process'

/**
 * Turns this process into another program: its exit code, its signals, its terminal.
 *
 * Node 23.11 and later, except on Windows, replaces the process image, so nothing stands between a
 * supervisor and the program. Otherwise this process starts a child, passes signals on, and ends as the
 * child ended.
 *
 * @param {string} program absolute path of the program
 * @param {string[]} args its arguments
 * @param {NodeJS.ProcessEnv} [env] its environment
 * @returns {Promise<never>}
 */
export async function replaceProcess(program, args, env = process.env) {
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(program, [program, ...args], definedOnly(env))
  }
  const child = spawn(program, args, { stdio: 'inherit', env })
  passSignals(child)
  const { code, signal } = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  for (const name of PASSED_SIGNALS) process.removeAllListeners(name)
  if (signal) process.kill(process.pid, signal)
  process.exit(code ?? 1)
}

const PASSED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

function passSignals(child) {
  for (const name of PASSED_SIGNALS) {
    process.on(name, () => {
      // Ctrl-C in a terminal reaches the whole group: a second SIGINT would read as "stop at once".
      if (name === 'SIGINT' && process.stdin.isTTY) return
      child.kill(name)
    })
  }
}

function definedOnly(env) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}
