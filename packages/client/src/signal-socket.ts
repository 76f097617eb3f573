import { createSerialRunner } from '@duet/state-machine/serial-queue.ts'
import type { Socket } from 'socket.io-client'
import { refusals } from '@duet/protocol/kernel/refusals.ts'
import { loadSocketLibrary } from './main-socket.ts'
import { importKey, open, seal, type PacketKey } from './packet.ts'

const CONNECT_TIMEOUT_MS = 10_000
const REOPEN_MS = 1000
/** The pause doubles with each failure up to this one, so that all pages together do not hold a server down. */
const REOPEN_MAX_MS = 16_000

export interface SignalSocketOptions {
  readonly origin: string
  readonly page_origin?: string
  /** The present `user.ortc_token`: read at every opening, because it rotates. */
  readonly ortcToken: () => string | undefined
  readonly tabId: () => Promise<string>
  readonly onEvent: (event: string, payload: unknown) => void
  /** The socket is open and authenticated: join the call, or join it again. */
  readonly onReady: () => void
  readonly onLost: () => void
}

export interface SignalSocket {
  open(): void
  /** If the socket is authenticated, seals and sends the message. Otherwise returns false, and the message is lost. */
  send(event: string, payload: unknown): boolean
  close(): void
}

/** A socket before or after `auth_success`. */
interface OpenSocket {
  readonly socket: Socket
  cipher?: PacketKey
}

/**
 * The socket of `/signal`. Every opening needs the present token, so the library must not reconnect the socket. A lost
 * socket is opened again after about a second, and later after each failure, while the call still needs the socket.
 */
export function createSignalSocket(options: SignalSocketOptions): SignalSocket {
  let current: OpenSocket | undefined
  let isWanted = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const sendInOrder = createSerialRunner()

  function lose(lost: OpenSocket): void {
    if (current !== lost) return
    lost.socket.disconnect()
    current = undefined
    options.onLost()
    reopenLater()
  }

  function reopenLater(): void {
    clearTimeout(timer)
    if (!isWanted) return
    timer = setTimeout(() => void connect(), reopenPauseMs(failures))
    failures += 1
  }

  async function connect(): Promise<void> {
    clearTimeout(timer)
    const library = await loadSocketLibrary().catch(() => undefined)
    if (!isWanted || current) return
    if (!library) return reopenLater()
    const opened: OpenSocket = { socket: openSocket(library, options) }
    current = opened
    opened.socket.on('connect_error', () => lose(opened))
    opened.socket.on('disconnect', () => lose(opened))
    const onReady = () => {
      failures = 0
      options.onReady()
    }
    const isCurrent = () => current === opened
    receiveInOrder(opened, { ...options, onReady }, { isCurrent, onRefused: () => lose(opened) })
  }

  return {
    open() {
      if (!isWanted) failures = 0
      isWanted = true
      if (!current) void connect()
    },
    send(event, payload) {
      const { socket, cipher } = current ?? {}
      if (!socket || !cipher) return false
      // Encryption is asynchronous: the queue keeps offer and candidates in order.
      void sendInOrder(async () => void socket.emit(event, await seal(cipher, payload)))
      return true
    },
    close() {
      isWanted = false
      clearTimeout(timer)
      const closed = current
      current = undefined
      closed?.socket.disconnect()
    },
  }
}

/** The pause doubles with each failure. Its random part spreads the pages that lost a server together. */
function reopenPauseMs(failures: number): number {
  return Math.min(REOPEN_MAX_MS, REOPEN_MS * 2 ** failures) * (0.67 + Math.random() * 0.66)
}

/** Opens the websocket and sends AUTH as soon as it is connected. */
function openSocket(
  { io }: Awaited<ReturnType<typeof loadSocketLibrary>>,
  { origin, page_origin, tabId, ortcToken }: SignalSocketOptions,
): Socket {
  const socket = io(origin, {
    path: '/signal',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    timeout: CONNECT_TIMEOUT_MS,
    ...(page_origin && { extraHeaders: { Origin: page_origin } }),
  })
  socket.on('connect', () => {
    void tabId().then((tab_id) => socket.emit('AUTH', { ortc_token: ortcToken(), tab_id }))
  })
  return socket
}

/** Decryption is asynchronous. One chain publishes events in the order of arrival. */
function receiveInOrder(
  opened: OpenSocket,
  { onReady, onEvent }: SignalSocketOptions,
  { isCurrent, onRefused }: { isCurrent: () => boolean; onRefused: () => void },
): void {
  const receiveInOrder = createSerialRunner()
  opened.socket.onAny((event: string, packet: unknown) => {
    const receive = async () => {
      if (event === 'auth_success' && !opened.cipher) {
        opened.cipher = await importKey((packet as { cipher_key: string }).cipher_key)
        if (isCurrent()) onReady()
        return
      }
      const isSealed = typeof packet === 'string' && opened.cipher
      const payload = isSealed ? await open(opened.cipher!, packet) : packet
      // A socket that was closed or lost must not publish events for the socket that followed it.
      if (!isCurrent()) return
      // The token is old, or the main socket belongs to another tab. The socket opens again with the present token.
      if (event === `error_${refusals.session_invalid.code}`) onRefused()
      onEvent(event, payload)
    }
    void receiveInOrder(receive)
  })
}
