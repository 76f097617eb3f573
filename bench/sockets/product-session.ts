import { open, seal } from '@duet/server/lib/cipher.ts'
import type { BenchMember } from './members.ts'
import type { MeasuredServer } from '../figures/measured-server.ts'
import { asking, connect, packetIn, type RawSocket } from './raw-client.ts'

const FRAME_BYTES_MAX = 1024 * 1024

/** The key of `message_main`. Every client requests the key in this way. */
export async function fetchSocketKey({ port }: MeasuredServer): Promise<Buffer> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/system`)
  const { data } = (await answer.json()) as { data: { socket_secret_key: string } }
  return Buffer.from(data.socket_secret_key, 'base64')
}

/** Connects and authenticates with the member's token. If the server refuses, throws. */
export async function logIn(
  { port }: MeasuredServer,
  key: Buffer,
  { token, tab_id }: BenchMember,
): Promise<RawSocket> {
  const socket = await connect(port)
  const data = { token, tab_id, device_type: 'web', version: '2.0.1' }
  const answer = answerIn(key, await socket.ask(asking(seal(key, { action: 'AUTH', data }))))
  if (!answer.data) throw new Error(`AUTH was refused: ${JSON.stringify(answer)}`)
  return socket
}

/** The content of an acknowledgement. */
export function answerIn(key: Buffer, text: string): { data?: unknown; error?: unknown } {
  return open(key, packetIn(text), FRAME_BYTES_MAX) as { data?: unknown; error?: unknown }
}

export interface Person {
  readonly socket: RawSocket
  /** Seals the events of this socket. */
  readonly event_key: Buffer
}

/** Connects as this member, with encrypted events. */
export async function enterAs(
  { port }: MeasuredServer,
  key: Buffer,
  { token, tab_id }: BenchMember,
): Promise<Person> {
  const socket = await connect(port)
  const entered = new Promise<Buffer>((resolve) => {
    socket.onEvent = (text) => {
      if (!text.startsWith('42["auth_success"')) return
      const [, greeting] = JSON.parse(text.slice(2)) as [string, { cipher_key: string }]
      resolve(Buffer.from(greeting.cipher_key, 'base64'))
    }
  })
  const data = { token, tab_id, device_type: 'web', version: '2.0.1', cipher: true }
  const answer = answerIn(key, await socket.ask(asking(seal(key, { action: 'AUTH', data }))))
  if (!answer.data) throw new Error(`AUTH was refused: ${JSON.stringify(answer)}`)
  return { socket, event_key: await entered }
}
