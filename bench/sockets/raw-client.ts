import { connect as connectTcp } from 'node:net'

/**
 * A minimal Socket.IO client over a bare TCP socket: no reconnecting, no queue, one question at a time. A packet costs
 * this process far less than the server. Both compared servers get the same client.
 */
export interface RawSocket {
  /** Sends a frame whose packet asks for acknowledgement 0. Resolves to the text of the acknowledgement. */
  ask(frame: Buffer): Promise<string>
  /** Calls back for every event with the text of its packet. */
  onEvent: ((text: string) => void) | undefined
  /** Events of the server that came before anybody heard. */
  readonly isOpen: boolean
  close(): void
}

/** Resolves once the namespace is open. Rejects when the server closes before. */
export function connect(port: number): Promise<RawSocket> {
  return new Promise((resolve, reject) => {
    const tcp = connectTcp({ port, host: '127.0.0.1', noDelay: true })
    let rest: Buffer = Buffer.alloc(0)
    let upgraded = false
    let answered: ((text: string) => void) | undefined
    let refuse: ((error: Error) => void) | undefined
    const socket: RawSocket = {
      onEvent: undefined,
      get isOpen() {
        return !tcp.destroyed
      },
      ask(frame) {
        return new Promise((answer, fail) => {
          answered = answer
          refuse = fail
          tcp.write(frame)
        })
      },
      close: () => tcp.destroy(),
    }
    const hear = (text: string) => {
      if (text.startsWith('43')) answered?.(text)
      else if (text.startsWith('42')) socket.onEvent?.(text)
      else if (text === '2') tcp.write(pong)
      else if (text.startsWith('0')) tcp.write(openNamespace)
      else if (text.startsWith('40')) resolve(socket)
    }
    tcp.on('data', (piece: Buffer) => {
      rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      if (!upgraded) {
        const end = rest.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!rest.subarray(0, 12).equals(switching))
          return void tcp.destroy(new Error(rest.toString('latin1', 0, 200)))
        upgraded = true
        rest = rest.subarray(end + 4)
      }
      rest = readFrames(rest, hear, () => tcp.destroy())
    })
    tcp.on('error', () => {})
    tcp.on('close', () => {
      const error = new Error('the server closed the socket')
      reject(error)
      refuse?.(error)
    })
    tcp.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Origin: http://127.0.0.1:${port}\r\nSec-WebSocket-Key: ZHVldCBiZW5jaCBjbGllbg==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    )
  })
}

/** The frame of `emit('message_main', packet, ack)`. */
export function asking(packet: string): Buffer {
  return toFrame(`420${JSON.stringify(['message_main', packet])}`)
}

/** The packet in the text of an acknowledgement. */
export function packetIn(text: string): string {
  return (JSON.parse(text.slice(text.indexOf('['))) as [string])[0]
}

const TEXT_OPCODE = 1
const CLOSE_OPCODE = 8
const SHORT_BYTES_MAX = 125
const MEDIUM_BYTES_MAX = 65_535
const MEDIUM_MARK = 126
const switching = Buffer.from('HTTP/1.1 101')
const pong = toFrame('3')
const openNamespace = toFrame('40')

/** A text frame whose mask is zero. The standard allows a zero mask, and it costs nothing. */
function toFrame(text: string): Buffer {
  const body = Buffer.from(text)
  const head = body.length <= SHORT_BYTES_MAX ? Buffer.alloc(6) : Buffer.alloc(8)
  head[0] = 0x80 | TEXT_OPCODE
  if (body.length <= SHORT_BYTES_MAX) head[1] = 0x80 | body.length
  else {
    if (body.length > MEDIUM_BYTES_MAX) throw new Error('Impossible: a load sends small packets')
    head[1] = 0x80 | MEDIUM_MARK
    head.writeUInt16BE(body.length, 2)
  }
  return Buffer.concat([head, body])
}

/** Passes on every whole frame and returns the rest. */
function readFrames(bytes: Buffer, hear: (text: string) => void, close: () => void): Buffer {
  let at = 0
  while (bytes.length - at >= 2) {
    const mark = bytes[at + 1]! & 0x7f
    const head = mark <= SHORT_BYTES_MAX ? 2 : mark === MEDIUM_MARK ? 4 : 10
    if (bytes.length - at < head) break
    const length =
      mark <= SHORT_BYTES_MAX
        ? mark
        : mark === MEDIUM_MARK
          ? bytes.readUInt16BE(at + 2)
          : bytes.readUInt32BE(at + 6)
    if (bytes.length - at < head + length) break
    const opcode = bytes[at]! & 0x0f
    if (opcode === TEXT_OPCODE) hear(bytes.toString('utf8', at + head, at + head + length))
    else if (opcode === CLOSE_OPCODE) close()
    at += head + length
  }
  return at === 0 ? bytes : bytes.subarray(at)
}
