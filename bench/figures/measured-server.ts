import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import type { Used } from './figures-of-child.ts'

/** A server in a process of its own, with the time and memory that the process has used. */
export interface MeasuredServer {
  readonly port: number
  /** `collected`: after a full garbage collection. */
  used(when?: 'now' | 'collected'): Promise<Used>
  stop(): Promise<void>
}

const folder = import.meta.dirname
const STARTED = /serving at/

/** Runs a program that prints "serving at …" once it listens at PORT. */
async function start(file: string, env: Record<string, string>): Promise<MeasuredServer> {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', join(folder, 'figures-of-child.ts'), file],
    {
      env: { PATH: process.env.PATH!, ...env, PORT: String(port) },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    },
  )
  const said: string[] = []
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`${file} ended with ${code}:\n${said.join('\n')}`)),
    )
    createInterface({ input: child.stderr! }).on('line', (line) => {
      said.push(line)
      if (STARTED.test(line)) resolve()
      else if (said.length > 20) console.error(line)
    })
  })
  return {
    port,
    async used(when = 'now') {
      child.send(when)
      const [used] = (await once(child, 'message')) as [Used]
      return used
    },
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** The product as `npm start` runs it. `demo`: with the demo users. */
export function startProduct(dataDir: string, { demo = false } = {}): Promise<MeasuredServer> {
  // All sockets of a bench come from the same address.
  const env = {
    DATA_DIR: dataDir,
    DEMO: demo ? 'on' : 'off',
    SECOND_PERSON: 'off',
    LOG_LEVEL: 'error',
    SOCKETS_PER_ADDRESS: '100000',
  }
  return start(fileURLToPath(import.meta.resolve('@duet/server/main.ts')), env)
}

export function startEcho(key: Buffer): Promise<MeasuredServer> {
  return start(join(folder, '../sockets/echo-server.ts'), { ECHO_KEY: key.toString('base64') })
}

/** A Socket.IO server that hands messages on and stores nothing. */
export function startRelay(key: Buffer): Promise<MeasuredServer> {
  const file = join(folder, '../messenger-peers/relay-server.ts')
  return start(file, { ECHO_KEY: key.toString('base64') })
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
