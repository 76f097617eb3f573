import type { Locale } from '@duet/protocol'
import type { AppContext, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Guest } from '../../../core/viewer.ts'
import { ensureGuestRow } from '../users/store.ts'
import type { Connection } from '../../../core/realtime.ts'

/**
 * The entry link, the device and the language that a guest without a row has sent on a connection. They are
 * stored with the first stored action, and dropped with the socket.
 */
export interface ConnectionAttributes {
  ref_code?: string
  signature?: string
  /** A keyed hash, as it is stored. */
  fingerprint?: string
  /** The same of the outside service. */
  pro_fingerprint?: string
  locale?: Locale
}

const attributesOf = new WeakMap<Connection, ConnectionAttributes>()

/**
 * The attributes of the connection of a request. An HTTP request has no attributes. It uses those of the
 * main socket of its user, because a page sends them only there.
 */
export function connectionAttributes(
  app: AppContext,
  user_id: UserId | undefined,
  context: RequestContext,
): ConnectionAttributes {
  const connection =
    context.connection ??
    (user_id === undefined ? undefined : app.realtime.local.mainConnection(user_id))
  if (!connection) return {}
  let attributes = attributesOf.get(connection)
  if (!attributes) attributesOf.set(connection, (attributes = {}))
  return attributes
}

/** The row of a guest whose first stored action is in this transaction (I1). */
export async function writeGuestRow(tx: Tx, viewer: Guest, context: RequestContext): Promise<void> {
  await ensureGuestRow(tx, viewer, connectionAttributes(tx.app, viewer.id, context))
}
