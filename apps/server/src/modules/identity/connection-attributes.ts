import type { Connection } from '../../platform/realtime/connection.ts'

/**
 * What a connection said before there was a row to keep it in: the entry link and the device.
 * It is stored with the guest's first stored action and forgotten with the socket.
 */
export interface ConnectionAttributes {
  ref_code?: string
  signature?: string
  fingerprint?: string
}

const lines = new WeakMap<Connection, ConnectionAttributes>()

export function connectionAttributes(connection: Connection | undefined): ConnectionAttributes {
  if (!connection) return {}
  let line = lines.get(connection)
  if (!line) lines.set(connection, (line = {}))
  return line
}
