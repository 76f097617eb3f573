import { deepEqual, equal } from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { COTURN_MISSING, startCoturn, type Coturn } from '@duet/testkit/stand-ins/coturn.ts'

/** S6 with a real relay: coturn with the configuration of deploy/ grants no way to a special address. */
const SPECIAL =
  '0.0.0.0 0.1.2.3 10.0.0.0 10.1.2.3 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.9.9.9 169.254.0.1 169.254.169.254 172.16.0.1 172.20.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.0 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255'
const SPECIAL_6 =
  ':: ::1 ::7f00:1 ::a01:203 ::ffff:127.0.0.1 ::ffff:10.1.2.3 ::ffff:169.254.169.254 ::ffff:192.168.1.1 ::ffff:1.1.1.1 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::a01:203 64:ff9b::a9fe:a9fe 64:ff9b:1::1 64:ff9b:1:ffff::a01:203 100::1 2001::1 2001:0:a01:203::1 2001:db8::1 2001:db8:ffff::1 2002:7f00:1::1 2002:a01:203::1 2002:c0a8:101::1 fc00::1 fd00::1 fdff:ffff::1 fe80::1 febf::1 fec0::1 feff::1 ff02::1 ff02::fb ff05::1'
/** A permission sends nothing to the peer, so these hosts notice nothing of the test. */
const PUBLIC = '1.1.1.1 9.9.9.9 172.32.0.1'
const PUBLIC_6 = '2606:4700::1 2a00::1'

const ALLOCATE = 0x0003
const CREATE_PERMISSION = 0x0008
const CHANNEL_BIND = 0x0009
const FIRST_CHANNEL = 0x4000
const ERROR_BITS = 0x0110
const MAGIC_COOKIE = 0x2112a442
const HEADER_BYTES = 20
const Attribute = {
  username: 0x0006,
  integrity: 0x0008,
  channel: 0x000c,
  error: 0x0009,
  peer: 0x0012,
  realm: 0x0014,
  nonce: 0x0015,
  family: 0x0017,
  transport: 0x0019,
} as const
const UDP = Buffer.from([17, 0, 0, 0])
const TCP = Buffer.from([6, 0, 0, 0])
const FORBIDDEN = 403
const UNAUTHORIZED = 401
const BAD_TRANSPORT = 442
const QUOTA_REACHED = 486
const GRANTED = 0
/** `user-quota` of deploy/turnserver.conf. */
const USER_QUOTA = 24

describe('a real relay with our configuration', { skip: COTURN_MISSING }, () => {
  let relay: Coturn
  const clients: TurnClient[] = []
  before(async () => {
    relay = await startCoturn()
  })
  after(async () => {
    for (const client of clients) client.close()
    await relay.stop()
  })

  function connect(credential?: Partial<Credential>): TurnClient {
    const user = `${Math.floor(Date.now() / 1000) + 600}:1`
    const client = new TurnClient(relay, { user, secret: relay.secret, ...credential })
    clients.push(client)
    return client
  }

  test('refuses every special peer and no public one, as a permission and as a channel', async () => {
    const [four, six] = [connect(), connect()]
    equal(await four.allocate(4), GRANTED)
    equal(await six.allocate(6), GRANTED)
    deepEqual(await four.answersFor(PUBLIC), answers(PUBLIC, GRANTED))
    deepEqual(await six.answersFor(PUBLIC_6), answers(PUBLIC_6, GRANTED))
    for (const kind of ['permission', 'channel'] as const) {
      deepEqual(await four.answersFor(SPECIAL, kind), answers(SPECIAL, FORBIDDEN))
      deepEqual(await six.answersFor(SPECIAL_6, kind), answers(SPECIAL_6, FORBIDDEN))
    }
  })

  test('refuses wrong, expired and foreign credentials, and a way over TCP', async () => {
    const expired = `${Math.floor(Date.now() / 1000) - 1}:1`
    const wrong = [{ secret: 'another secret' }, { user: expired }, { user: '1' }, { user: '' }]
    const codes = await Promise.all(wrong.map((credential) => connect(credential).allocate(4)))
    deepEqual(codes, [UNAUTHORIZED, UNAUTHORIZED, UNAUTHORIZED, UNAUTHORIZED])
    equal(await connect().allocate(4, TCP), BAD_TRANSPORT)
  })

  test('counts the allocations of a user over all credentials and clients', async () => {
    const expiry = Math.floor(Date.now() / 1000) + 600
    const codes: number[] = []
    for (let asked = 0; asked < 1000; asked += 1)
      codes.push(await connect({ user: `${expiry - (asked % 20)}:2` }).allocate(4))
    equal(codes.filter((code) => code === GRANTED).length, USER_QUOTA)
    equal(codes.filter((code) => code === QUOTA_REACHED).length, 1000 - USER_QUOTA)
    equal(await connect({ user: `${expiry}:3` }).allocate(4), GRANTED)
  })
})

function answers(peers: string, code: number): string[] {
  return peers.split(' ').map((peer) => `${peer} ${code}`)
}

type Field = readonly [type: number, value: Buffer]

interface Credential {
  readonly user: string
  readonly secret: string
}

/** As much of TURN as asks for an allocation and for permissions of peers; it never sends to a peer. */
class TurnClient {
  readonly #socket: Socket = createSocket('udp4')
  readonly #relay: Coturn
  readonly #credential: Credential
  #nonce: Buffer = Buffer.alloc(0)
  #channel = FIRST_CHANNEL

  constructor(relay: Coturn, credential: Credential) {
    this.#relay = relay
    this.#credential = credential
  }

  /** Asks for an allocation and returns the code of the answer. */
  async allocate(family: 4 | 6, transport = UDP): Promise<number> {
    const wanted: Field[] = [[Attribute.transport, transport]]
    if (family === 6) wanted.push([Attribute.family, Buffer.from([2, 0, 0, 0])])
    const challenge = await this.#exchange(message(ALLOCATE, wanted))
    this.#nonce = challenge.get(Attribute.nonce)!
    return toCode(await this.#request(ALLOCATE, () => wanted))
  }

  /** Asks for a way to each address, and returns the address with the code of the answer. */
  async answersFor(
    peers: string,
    kind: 'permission' | 'channel' = 'permission',
  ): Promise<string[]> {
    const codes: string[] = []
    for (const peer of peers.split(' '))
      codes.push(`${peer} ${toCode(await this.#ask(peer, kind))}`)
    return codes
  }

  close(): void {
    this.#socket.close()
  }

  #ask(peer: string, kind: 'permission' | 'channel'): Promise<Map<number, Buffer>> {
    return this.#request(kind === 'channel' ? CHANNEL_BIND : CREATE_PERMISSION, (transaction) => [
      ...(kind === 'channel' ? [this.#nextChannel()] : []),
      [Attribute.peer, xorAddress(peer, transaction)],
    ])
  }

  #nextChannel(): Field {
    const number = Buffer.alloc(4)
    number.writeUInt16BE(this.#channel++)
    return [Attribute.channel, number]
  }

  #request(
    type: number,
    fieldsFor: (transaction: Buffer) => readonly Field[],
  ): Promise<Map<number, Buffer>> {
    const { realm } = this.#relay
    const { user, secret } = this.#credential
    const transaction = randomBytes(12)
    const fields: Field[] = [
      ...fieldsFor(transaction),
      [Attribute.username, Buffer.from(user)],
      [Attribute.realm, Buffer.from(realm)],
      [Attribute.nonce, this.#nonce],
    ]
    const password = createHmac('sha1', secret).update(user).digest('base64')
    const key = createHash('md5').update(`${user}:${realm}:${password}`).digest()
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
    this.#socket.send(packet, this.#relay.port, '127.0.0.1')
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
