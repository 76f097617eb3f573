import { createSerialRunner, type SerialRunner } from '@duet/state-machine/serial-queue.ts'
import type { Socket } from 'socket.io-client'
import { isFailure, NoAnswerError, refusedError, RefusedError } from './call-errors.ts'
import { importKey, open, seal, type PacketKey } from './packet.ts'

const ACK_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 10_000

/** Why an open socket closed: another tab of the user took over, or the network (or the server) is gone. */
export type SocketLoss = 'other_tab' | 'network'

export interface SocketHandlers {
  /** Called in the order in which the server sent the events. */
  readonly onEvent: (event: string, payload: unknown) => void
  readonly onLoss: (loss: SocketLoss) => void
}

export interface MainSocketOptions extends SocketHandlers {
  readonly origin: string
  readonly page_origin?: string
  /** `socket_secret_key` of `GET system`: 32 bytes in base64. */
  readonly secretKey: string
}

export interface MainSocket {
  /** Resolves with the acknowledgement's data; rejects with RefusedError or NoAnswerError. */
  request(action: string, data: unknown): Promise<unknown>
  /** The time of the last packet from the server, also of a ping. */
  receivedAtMs(): number
  close(): void
}

/** The library is a chunk of its own: the page is painted before it needs a socket. */
export function loadSocketLibrary() {
  return import('socket.io-client')
}

/**
 * Opens one websocket to `/socket.io`. The socket seals what it sends, opens what it receives, and never reconnects by
 * itself. Without a connection it rejects with NoAnswerError.
 */
export async function openMainSocket(options: MainSocketOptions): Promise<MainSocket> {
  const [{ io }, secret] = await Promise.all([
    loadSocketLibrary().catch(() => Promise.reject(new NoAnswerError('connect'))),
    importKey(options.secretKey),
  ])
  const socket = io(options.origin, {
    path: '/socket.io',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    timeout: CONNECT_TIMEOUT_MS,
    ...(options.page_origin && { extraHeaders: { Origin: options.page_origin } }),
  })
  // Decryption is asynchronous. One chain keeps events and acknowledgements in the order of arrival.
  const inOrder = createSerialRunner()
  publishEvents(socket, inOrder, options.onEvent)
  let receivedAtMs = Date.now()
  await connected(socket)
  socket.io.engine.on('packet', () => {
    receivedAtMs = Date.now()
  })
  socket.on('disconnect', (reason) => {
    if (reason !== 'io client disconnect')
      options.onLoss(reason === 'io server disconnect' ? 'other_tab' : 'network')
  })
  return {
    request: (action, data) => request(socket, secret, inOrder, { action, data }),
    receivedAtMs: () => receivedAtMs,
    close: () => void socket.disconnect(),
  }
}

function publishEvents(
  socket: Socket,
  inOrder: SerialRunner,
  onEvent: SocketHandlers['onEvent'],
): void {
  let cipher: PacketKey | undefined
  socket.onAny((event: string, packet: unknown) => {
    void inOrder(async () => {
      const payload = typeof packet === 'string' && cipher ? await open(cipher, packet) : packet
      if (event === 'auth_success' && hasCipherKey(payload))
        cipher = await importKey(payload.cipher_key)
      onEvent(event, payload)
    })
  })
}

async function request(
  socket: Socket,
  secret: PacketKey,
  inOrder: SerialRunner,
  message: { action: string; data: unknown },
): Promise<unknown> {
  const { action } = message
  const packet = await seal(secret, message)
  const answer = await new Promise<unknown>((resolve, reject) => {
    const noAnswer = () => reject(new NoAnswerError(action))
    socket
      .timeout(ACK_TIMEOUT_MS)
      .emit('message_main', packet, (timeout: Error | null, sealed: string) => {
        if (timeout) noAnswer()
        else void inOrder(() => open(secret, sealed).then(resolve, noAnswer))
      })
  })
  return readData(action, answer)
}

function readData(action: string, answer: unknown): unknown {
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
