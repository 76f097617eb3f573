import type { Socket } from 'socket.io-client'
import { importKey, open, seal, type PacketKey } from './packet.ts'
import { isFailure, NoAnswerError, refusedError, RefusedError } from './call-errors.ts'

const ack_timeout_ms = 10_000
const connect_timeout_ms = 10_000

export type Lost = 'another_tab' | 'network'

export interface MainSocketOptions {
  readonly origin: string
  readonly page_origin?: string
  readonly secret_key: string
  readonly heard: (event: string, payload: unknown) => void
  readonly lost: (why: Lost) => void
}

export interface MainSocket {
  /** Resolves with the acknowledgement's data; rejects with RefusedError or NoAnswerError. */
  act(action: string, data: unknown): Promise<unknown>
  close(): void
}

/** A page is painted before it needs a line: the library comes beside the first request, not before the first picture. */
export function loadSocketLibrary() {
  return import('socket.io-client')
}

/** One websocket to `/socket.io`: seals what goes out, opens what comes in, in order. It never reconnects by itself. */
export async function openMainSocket(options: MainSocketOptions): Promise<MainSocket> {
  const [{ io }, secret] = await Promise.all([loadSocketLibrary(), importKey(options.secret_key)])
  const socket = io(options.origin, {
    path: '/socket.io',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    timeout: connect_timeout_ms,
    ...(options.page_origin && { extraHeaders: { Origin: options.page_origin } }),
  })
  let cipher: PacketKey | undefined
  // Opening is asynchronous: one chain keeps events and acknowledgements in the order in which they came.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => (turn = turn.then(work, work))

  socket.onAny((event: string, packet: unknown) => {
    void inTurn(async () => {
      const payload = typeof packet === 'string' && cipher ? await open(cipher, packet) : packet
      if (event === 'auth_success' && hasCipherKey(payload))
        cipher = await importKey(payload.cipher_key)
      options.heard(event, payload)
    })
  })

  await connected(socket)
  socket.on('disconnect', (reason) => {
    if (reason !== 'io client disconnect')
      options.lost(reason === 'io server disconnect' ? 'another_tab' : 'network')
  })

  return {
    async act(action, data) {
      const packet = await seal(secret, { action, data })
      const answer = await new Promise<unknown>((resolve, reject) => {
        socket
          .timeout(ack_timeout_ms)
          .emit('message_main', packet, (late: Error | null, sealed: string) => {
            if (late) reject(new NoAnswerError(action))
            else
              void inTurn(() =>
                open(secret, sealed).then(resolve, () => reject(new NoAnswerError(action))),
              )
          })
      })
      return unwrap(action, answer)
    },
    close: () => void socket.disconnect(),
  }
}

function unwrap(action: string, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null)
    throw new RefusedError(action, 'unknown', { message: 'Unreadable answer' })
  if ('error' in answer && isFailure(answer.error)) throw refusedError(action, answer.error)
  return 'data' in answer ? answer.data : undefined
}

function hasCipherKey(payload: unknown): payload is { cipher_key: string } {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    'cipher_key' in payload &&
    typeof payload.cipher_key === 'string'
  )
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve())
    socket.once('connect_error', () => {
      socket.disconnect()
      reject(new NoAnswerError('connect'))
    })
  })
}
