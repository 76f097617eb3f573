import type { Connection } from '../../../platform/realtime/connection.ts'

/**
 * The entry link and the device that a guest without a row has sent on a connection. They are stored with the first
 * stored action and dropped with the socket.
 */
export interface ConnectionAttributes {
  ref_code?: string
  signature?: string
  fingerprint?: string
}

const attributesOf = new WeakMap<Connection, ConnectionAttributes>()

export function connectionAttributes(connection: Connection | undefined): ConnectionAttributes {
  if (!connection) return {}
  let attributes = attributesOf.get(connection)
  if (!attributes) attributesOf.set(connection, (attributes = {}))
  return attributes
}
