import { spawn, type ChildProcess } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, freshFolder } from '../server-process.ts'

const TURNSERVER = '/usr/bin/turnserver'
const CONF = fileURLToPath(new URL('../../../../deploy/turnserver.conf', import.meta.url))

/** An Allocate request that names no user: the relay answers it with its realm and a nonce. */
const ASKING = Buffer.from('000300082112a4420000000000000000000000000019000411000000', 'hex')
const ASK_EVERY_MS = 100

/**
 * Two browsers of this machine are behind the same loopback address, so the relay is the peer of itself
 * there. A permitted address has precedence over a denied range.
 */
const LOOPBACK = 'allow-loopback-peers\nallowed-peer-ip=127.0.0.1\n'

/** A coturn with the configuration of deploy/ and these additions, on a port of its own. */
export interface Coturn {
  readonly port: number
  readonly realm: string
  readonly secret: string
  stop(): Promise<void>
}

/** Why tests with a relay cannot run here. */
export const COTURN_MISSING = existsSync(TURNSERVER) ? false : 'coturn is not installed'

/** @param admitsLoopback without it the relay refuses what it refuses in production */
export async function startCoturn({ admitsLoopback = false } = {}): Promise<Coturn> {
  const folder = await freshFolder('relay')
  const port = await freePort()
  const conf = join(folder.path, 'relay.conf')
  await copyFile(CONF, conf)
  const secret = 'a secret of this test only'
  const realm = 'relay.duet.test'
  const own = {
    'listening-port': port,
    'listening-ip': '127.0.0.1',
    realm,
    'static-auth-secret': secret,
    userdb: join(folder.path, 'users.db'),
    pidfile: join(folder.path, 'relay.pid'),
  }
  const lines = Object.entries(own).map(([name, value]) => `${name}=${value}`)
  const addresses = admitsLoopback ? LOOPBACK : 'relay-ip=::1\n'
  await appendFile(conf, `\n${lines.join('\n')}\nrelay-ip=127.0.0.1\n${addresses}no-tls\n`)
  await writeFile(join(folder.path, 'users.db'), '')
  const relay = spawn(TURNSERVER, ['-c', conf], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(relay, 'exit')
  let output = ''
  for (const stream of [relay.stdout, relay.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await isListening(relay, port, () => output)
  return {
    port,
    realm,
    secret,
    async stop() {
      relay.kill('SIGKILL')
      await ended
      await folder.remove()
    },
  }
}

/** Asks until the relay answers; a packet before it listens is lost. */
async function isListening(relay: ChildProcess, port: number, output: () => string): Promise<void> {
  const socket = createSocket('udp4')
  const answered = once(socket, 'message')
  const asking = setInterval(() => socket.send(ASKING, port, '127.0.0.1'), ASK_EVERY_MS)
  try {
    await Promise.race([
      answered,
      once(relay, 'exit').then(() => Promise.reject(new Error(`the relay ended:\n${output()}`))),
    ])
  } finally {
    clearInterval(asking)
    socket.close()
  }
}
