import type { Socket } from 'socket.io'

/** The send queues of Engine.IO and ws, which neither of them types. */
interface Queues {
  readonly writeBuffer: readonly { readonly data?: unknown }[]
  readonly transport: { readonly socket?: { readonly bufferedAmount?: number; terminate?(): void } }
}

/** Bytes that wait to be read: in ws, and behind it in Engine.IO. */
export function queuedBytes(socket: Socket): number {
  const { writeBuffer, transport } = socket.conn as unknown as Queues
  let bytes = transport.socket?.bufferedAmount ?? 0
  for (const { data } of writeBuffer) if (typeof data === 'string') bytes += data.length
  return bytes
}

/** Closes the connection without a closing handshake; does nothing when it is closed already. */
export function terminate(socket: Socket): void {
  ;(socket.conn as unknown as Queues).transport.socket?.terminate?.()
}
