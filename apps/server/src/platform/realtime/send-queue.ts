import type { Socket } from 'socket.io'

/** What Engine.IO and ws keep for a reader; neither types it. */
interface Queues {
  readonly writeBuffer: readonly { readonly data?: unknown }[]
  readonly transport: { readonly socket?: { readonly bufferedAmount?: number; terminate?(): void } }
}

/** Bytes that wait for a reader: in the operating system's way (ws) and behind it (Engine.IO). */
export function queuedBytes(socket: Socket): number {
  const { writeBuffer, transport } = socket.conn as unknown as Queues
  let bytes = transport.socket?.bufferedAmount ?? 0
  for (const { data } of writeBuffer) if (typeof data === 'string') bytes += data.length
  return bytes
}

/** Ends the connection without a closing handshake; nothing when it is closed already. */
export function cutOff(socket: Socket): void {
  ;(socket.conn as unknown as Queues).transport.socket?.terminate?.()
}
