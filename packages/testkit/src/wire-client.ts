import type { Socket as NetSocket } from 'node:net'
import type { Socket as ServerSocket } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { open, seal } from '@duet/server/lib/cipher.ts'
import type { Failure } from '@duet/protocol/kernel/envelope.ts'
import { beyondContract } from './beyond-contract.ts'

const ANSWER_TIMEOUT_MS = 10_000
const FRAME_BYTES_MAX = 1024 * 1024

export interface Heard {
  readonly event: string
  readonly payload: Record<string, unknown>
}

/** A failure as it crosses the wire. */
export type WireFailure = Readonly<Failure>
export type WireAnswer = { readonly data: unknown } | { readonly error: WireFailure }

/**
 * One socket of a client that records everything: the received events, in order, and how the
 * connection ended.
 */
export interface WireSocket {
  readonly socket: Socket
  readonly heard: readonly Heard[]
  /** Why the socket closed, once it has. */
  readonly closed: Promise<string>
  onHeard(listen: () => void): () => void
  /** Payloads are sealed from here on. */
  cipher(key: Buffer): void
  emit(event: string, payload: unknown): void
  close(): void
  /** The network goes away without a word from the client's code. */
  drop(): void
}

export async function openSocket(
  origin: string,
  path: string,
  headers: Record<string, string> = { origin },
  /** Records the differences between received events and their contracts. */
  beyond: string[] = [],
): Promise<WireSocket> {
  const socket = io(origin, {
    path,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
  })
  socket.once('connect', () => {
    const id = socket.id!
    clients.set(id, socket)
    socket.once('disconnect', () => clients.delete(id))
  })
  const heard: Heard[] = []
  const listeners = new Set<() => void>()
  let key: Buffer | undefined
  // Both directions are ordered: a client that answers this has received everything before it.
  socket.on('barrier', (passed: () => void) => passed())
  socket.onAny((event: string, payload: unknown) => {
    if (event === 'barrier') return
    const shown = typeof payload === 'string' && key ? open(key, payload, FRAME_BYTES_MAX) : payload
    heard.push({ event, payload: shown as Record<string, unknown> })
    const strange = beyondContract(path, event, shown)
    if (strange) beyond.push(strange)
    if (event === 'auth_success') key = keyIn(shown) ?? key
    for (const listen of listeners) listen()
  })
  const closed = new Promise<string>((resolve) => socket.once('disconnect', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', (error) => {
      socket.disconnect()
      reject(error)
    })
    // A server that dies between the transport's opening and its own welcome sends no more than
    // this.
    void closed.then((reason) =>
      reject(new Error(`the socket closed before it was open: ${reason}`)),
    )
  })
  return {
    socket,
    heard,
    closed,
    onHeard(listen) {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    cipher: (of) => (key = of),
    emit: (event, payload) => socket.emit(event, key ? seal(key, payload) : payload),
    close: () => socket.disconnect(),
    drop: () => socket.io.engine.close(),
  }
}

/** Sends an action as a packet and opens the acknowledgement. */
export async function act(
  wire: WireSocket,
  key: Buffer,
  action: unknown,
  data: unknown,
): Promise<WireAnswer> {
  return sendPacket(wire, key, seal(key, { action, data }))
}

/** Sends anything as `message_main`. */
export async function sendPacket(
  wire: WireSocket,
  key: Buffer,
  packet: unknown,
): Promise<WireAnswer> {
  const gone = wire.closed.then((reason) =>
    Promise.reject(new Error(`the socket closed before an answer: ${reason}`)),
  )
  const sealed = (await Promise.race([
    wire.socket.timeout(ANSWER_TIMEOUT_MS).emitWithAck('message_main', packet),
    gone,
  ])) as string
  return open(key, sealed, FRAME_BYTES_MAX) as WireAnswer
}

/** The open clients of this process, by the id that the server has for them, too. */
const clients = new Map<string, Socket>()
/** Of each socket of the server, the bytes at the moment when both ends had received all. */
const delivered = new WeakMap<ServerSocket, string>()
const BARRIER_MS = 1000

/** Resolves when each end of a socket of the server has received what the other end has sent so far. */
export async function untilDelivered(socket: ServerSocket): Promise<void> {
  const counted = countBytes(socket)
  if (counted !== undefined && counted === delivered.get(socket)) return
  await passBarrier(socket)
  const after = countBytes(socket)
  if (after === undefined) delivered.delete(socket)
  else delivered.set(socket, after)
}

/** The bytes in both directions; undefined while some are on their way, and for a client of another process. */
function countBytes({ id, conn }: ServerSocket): string | undefined {
  const server = (conn.transport as { socket?: { _socket?: NetSocket } }).socket?._socket
  const engine = clients.get(id)?.io.engine
  const client = (engine?.transport as { ws?: { _socket?: NetSocket } } | undefined)?.ws?._socket
  if (!server || !client) return undefined
  const { bytesWritten, bytesRead } = server
  const isOnTheWay = client.bytesRead !== bytesWritten || client.bytesWritten !== bytesRead
  return isOnTheWay ? undefined : `${bytesWritten} ${bytesRead}`
}

function passBarrier(socket: ServerSocket): Promise<void> {
  // A client that disconnects sends nothing more.
  return new Promise((resolve) => {
    if (!socket.connected) return resolve()
    const gone = () => resolve()
    socket.once('disconnect', gone)
    socket.timeout(BARRIER_MS).emit('barrier', () => {
      socket.off('disconnect', gone)
      resolve()
    })
  })
}

function keyIn(payload: unknown): Buffer | undefined {
  const { cipher_key } = (payload ?? {}) as { cipher_key?: string }
  return cipher_key === undefined ? undefined : Buffer.from(cipher_key, 'base64')
}
