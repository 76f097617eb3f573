import type { Socket } from 'socket.io-client'
import { loadSocketLibrary } from './main-socket.ts'
import { importKey, open, seal, type PacketKey } from './packet.ts'

export const signal_timeout_ms = 10_000
const reopen_ms = 1000

export interface SignalSocketOptions {
  readonly origin: string
  readonly page_origin?: string
  /** The present `user.ortc_token`: asked for at every opening, because it rotates. */
  readonly ortcToken: () => string | undefined
  readonly tabId: () => Promise<string>
  readonly heard: (event: string, payload: unknown) => void
  /** The line is open and authenticated: join (again). */
  readonly ready: () => void
  readonly lost: () => void
}

export interface SignalSocket {
  open(): void
  /** Sealed and sent when the line is open; false when it is not. */
  send(event: string, payload: unknown): boolean
  close(): void
}

/** The `/signal` line: no automatic reconnect of the library's; we open it again with the present token. */
export function createSignalSocket(options: SignalSocketOptions): SignalSocket {
  let socket: Socket | undefined
  let cipher: PacketKey | undefined
  let wanted = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let out: Promise<unknown> = Promise.resolve()

  function lost(of: Socket): void {
    if (socket !== of) return
    of.disconnect()
    socket = undefined
    cipher = undefined
    options.lost()
    if (wanted) timer = setTimeout(() => void connect(), reopen_ms)
  }

  async function connect(): Promise<void> {
    clearTimeout(timer)
    const { io } = await loadSocketLibrary()
    if (!wanted || socket) return
    const line = io(options.origin, {
      path: '/signal',
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      timeout: signal_timeout_ms,
      ...(options.page_origin && { extraHeaders: { Origin: options.page_origin } }),
    })
    socket = line
    let turn: Promise<unknown> = Promise.resolve()
    line.on('connect', () => {
      void options
        .tabId()
        .then((tab_id) => line.emit('AUTH', { ortc_token: options.ortcToken(), tab_id }))
    })
    line.on('connect_error', () => lost(line))
    line.on('disconnect', () => lost(line))
    line.onAny((event: string, packet: unknown) => {
      const read = async () => {
        if (event === 'auth_success' && !cipher) {
          cipher = await importKey((packet as { cipher_key: string }).cipher_key)
          options.ready()
          return
        }
        const payload = typeof packet === 'string' && cipher ? await open(cipher, packet) : packet
        if (event === 'error_102') lost(line)
        options.heard(event, payload)
      }
      turn = turn.then(read, read)
    })
  }

  return {
    open() {
      wanted = true
      if (!socket) void connect()
    },
    send(event, payload) {
      const line = socket
      const key = cipher
      if (!line || !key) return false
      // Sealing is asynchronous: the chain keeps offer and candidates in order.
      const go = async () => void line.emit(event, await seal(key, payload))
      out = out.then(go, go)
      return true
    },
    close() {
      wanted = false
      clearTimeout(timer)
      const line = socket
      socket = undefined
      cipher = undefined
      line?.disconnect()
    },
  }
}
