import { deepEqual, equal } from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort, freshFolder } from '@duet/testkit/server-process.ts'

/** S6 with a real relay: coturn with the configuration of deploy/ grants no way to a special address. */
const TURNSERVER = '/usr/bin/turnserver'
const CONF = fileURLToPath(new URL('../../deploy/turnserver.conf', import.meta.url))
const SECRET = 'a secret of this test only'
const REALM = 'relay.duet.test'

const SPECIAL =
  '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 192.0.2.1 192.168.1.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255'
const SPECIAL_6 =
  ':: ::1 fd00::1 fe80::1 ff02::1 2001:db8::1 2002:a01:203::1 64:ff9b::a01:203 ::ffff:127.0.0.1 ::ffff:10.1.2.3 ::ffff:169.254.169.254'
/** A permission sends nothing to the peer, so these hosts notice nothing of the test. */
const PUBLIC = '1.1.1.1 9.9.9.9 172.32.0.1'
const PUBLIC_6 = '2606:4700::1 2a00::1'

const ALLOCATE = 0x0003
const CREATE_PERMISSION = 0x0008
const ERROR_BITS = 0x0110
const MAGIC_COOKIE = 0x2112a442
const HEADER_BYTES = 20
const Attribute = {
  username: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  peer: 0x0012,
  realm: 0x0014,
  nonce: 0x0015,
  family: 0x0017,
  transport: 0x0019,
} as const
const UDP = Buffer.from([17, 0, 0, 0])
const FORBIDDEN = 403
const GRANTED = 0

const skip = existsSync(TURNSERVER) ? false : 'coturn is not installed'

test(
  'a real relay with our configuration refuses every special peer and no public one',
  { skip },
  async () => {
    const relay = await startRelay()
    try {
      const four = await relay.client(4)
      const six = await relay.client(6)
      deepEqual(await four.answersFor(PUBLIC), answers(PUBLIC, GRANTED))
      deepEqual(await six.answersFor(PUBLIC_6), answers(PUBLIC_6, GRANTED))
      deepEqual(await four.answersFor(SPECIAL), answers(SPECIAL, FORBIDDEN))
      deepEqual(await six.answersFor(SPECIAL_6), answers(SPECIAL_6, FORBIDDEN))
    } finally {
      await relay.stop()
    }
  },
)

function answers(peers: string, code: number): string[] {
  return peers.split(' ').map((peer) => `${peer} ${code}`)
}

interface Relay {
  client(family: 4 | 6): Promise<TurnClient>
  stop(): Promise<void>
}

async function startRelay(): Promise<Relay> {
  const clients: TurnClient[] = []
  const folder = await freshFolder('relay')
  const port = await freePort()
  const conf = join(folder.path, 'relay.conf')
  await copyFile(CONF, conf)
  const own = {
    'listening-port': port,
    'listening-ip': '127.0.0.1',
    realm: REALM,
    'static-auth-secret': SECRET,
    userdb: join(folder.path, 'users.db'),
    pidfile: join(folder.path, 'relay.pid'),
  }
  const lines = Object.entries(own).map(([name, value]) => `${name}=${value}`)
  await appendFile(conf, `\n${lines.join('\n')}\nrelay-ip=127.0.0.1\nrelay-ip=::1\nno-tls\n`)
  await writeFile(join(folder.path, 'users.db'), '')
  const relay = spawn(TURNSERVER, ['-c', conf], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(relay, 'exit')
  let output = ''
  for (const stream of [relay.stdout, relay.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await isListening(relay, port, () => output)
  return {
    async client(family) {
      const client = await TurnClient.open(port, family)
      clients.push(client)
      return client
    },
    async stop() {
      for (const client of clients) client.close()
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
  const asking = setInterval(
    () => socket.send(message(ALLOCATE, [[Attribute.transport, UDP]]), port, '127.0.0.1'),
    100,
  )
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

type Field = readonly [type: number, value: Buffer]

/** As much of TURN as asks for an allocation and for permissions of peers; it never sends to a peer. */
class TurnClient {
  readonly #socket: Socket = createSocket('udp4')
  readonly #port: number
  readonly #user = `${Math.floor(Date.now() / 1000) + 600}:1`
  #nonce: Buffer = Buffer.alloc(0)

  private constructor(port: number) {
    this.#port = port
  }

  static async open(port: number, family: 4 | 6): Promise<TurnClient> {
    const client = new TurnClient(port)
    const wanted: Field[] = [[Attribute.transport, UDP]]
    if (family === 6) wanted.push([Attribute.family, Buffer.from([2, 0, 0, 0])])
    const challenge = await client.#exchange(message(ALLOCATE, wanted))
    client.#nonce = challenge.get(Attribute.nonce)!
    equal(toCode(await client.#request(ALLOCATE, wanted)), GRANTED)
    return client
  }

  /** Asks for a permission for each address, and returns the address with the code of the answer. */
  async answersFor(peers: string): Promise<string[]> {
    const codes: string[] = []
    for (const peer of peers.split(' ')) {
      codes.push(`${peer} ${toCode(await this.#permission(peer))}`)
    }
    return codes
  }

  close(): void {
    this.#socket.close()
  }

  #permission(peer: string): Promise<Map<number, Buffer>> {
    return this.#requestWith(CREATE_PERMISSION, (transaction) => [
      [Attribute.peer, xorAddress(peer, transaction)],
    ])
  }

  #request(type: number, fields: readonly Field[]): Promise<Map<number, Buffer>> {
    return this.#requestWith(type, () => fields)
  }

  #requestWith(
    type: number,
    fieldsFor: (transaction: Buffer) => readonly Field[],
  ): Promise<Map<number, Buffer>> {
    const transaction = randomBytes(12)
    const fields: Field[] = [
      ...fieldsFor(transaction),
      [Attribute.username, Buffer.from(this.#user)],
      [Attribute.realm, Buffer.from(REALM)],
      [Attribute.nonce, this.#nonce],
    ]
    const password = createHmac('sha1', SECRET).update(this.#user).digest('base64')
    const key = createHash('md5').update(`${this.#user}:${REALM}:${password}`).digest()
    // The length in the header counts the integrity, which is computed over everything before it.
    const unsigned = message(
      type,
      [...fields, [Attribute.integrity, Buffer.alloc(20)]],
      transaction,
    )
    const integrity = createHmac('sha1', key).update(unsigned.subarray(0, -24)).digest()
    return this.#exchange(message(type, [...fields, [Attribute.integrity, integrity]], transaction))
  }

  async #exchange(packet: Buffer): Promise<Map<number, Buffer>> {
    const answered = once(this.#socket, 'message') as Promise<[Buffer]>
    this.#socket.send(packet, this.#port, '127.0.0.1')
    const [answer] = await answered
    deepEqual(answer.subarray(8, HEADER_BYTES), packet.subarray(8, HEADER_BYTES))
    const fields = new Map<number, Buffer>()
    for (let at = HEADER_BYTES; at < answer.length;) {
      const length = answer.readUInt16BE(at + 2)
      fields.set(answer.readUInt16BE(at), answer.subarray(at + 4, at + 4 + length))
      at += 4 + length + ((4 - (length % 4)) % 4)
    }
    const isError = (answer.readUInt16BE(0) & ERROR_BITS) === ERROR_BITS
    equal(fields.has(Attribute.error), isError)
    return fields
  }
}

function toCode(answer: Map<number, Buffer>): number {
  const error = answer.get(Attribute.error)
  return error ? error[2]! * 100 + error[3]! : GRANTED
}

function message(type: number, fields: readonly Field[], transaction = randomBytes(12)): Buffer {
  const body = Buffer.concat(
    fields.map(([field, value]) => {
      const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4)
      padded.writeUInt16BE(field, 0)
      padded.writeUInt16BE(value.length, 2)
      value.copy(padded, 4)
      return padded
    }),
  )
  const header = Buffer.alloc(8)
  header.writeUInt16BE(type, 0)
  header.writeUInt16BE(body.length, 2)
  header.writeUInt32BE(MAGIC_COOKIE, 4)
  return Buffer.concat([header, transaction, body])
}

/** The address as TURN sends it: combined with the cookie, and an IPv6 one also with the id of the transaction. */
function xorAddress(address: string, transaction: Buffer): Buffer {
  const bytes = toBytes(address)
  const mask = Buffer.alloc(4)
  mask.writeUInt32BE(MAGIC_COOKIE)
  const whole = Buffer.concat([mask, transaction])
  const head = Buffer.from([0, bytes.length === 4 ? 1 : 2, 0x21 ^ 0x10, 0x12 ^ 0x00])
  return Buffer.concat([head, bytes.map((byte, index) => byte ^ whole[index]!)])
}

function toBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const hex = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = '', tail = ''] = hex.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0')
  const all = hex.includes('::') ? [...groups(head), ...zeros, ...groups(tail)] : groups(hex)
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
