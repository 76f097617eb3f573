import type { AuthAnswer, ClientConnection, ConnectionSnapshot } from '@duet/client'

type Auth = AuthAnswer | undefined

/** A part of the page that follows the state of the connection. Events of the server reach a manifest or a reducer map instead. */
export interface ConnectionFollower {
  /** The page is connected: again after a loss, or for another user. */
  readonly connected?: (auth: AuthAnswer) => void
  /** An event or another AUTH changed the last answer to AUTH. Undefined after a log-out. */
  readonly ownRecord?: (auth: Auth, before: Auth) => void
  /** Everything fetched so far is too old. */
  readonly outdated?: () => void
}

/** Follows the state of the connection from now on. Returns the function that ends it. */
export function followConnection(
  connection: Pick<ClientConnection, 'getSnapshot' | 'on'>,
  { connected, ownRecord, outdated }: ConnectionFollower,
): () => void {
  let before = connection.getSnapshot()
  const stops = [
    connection.on('snapshot', (now) => {
      const last = before
      before = now
      if (now.auth !== last.auth) ownRecord?.(now.auth, last.auth)
      const userId = connectedUserId(now)
      if (now.auth && userId !== undefined && userId !== connectedUserId(last))
        connected?.(now.auth)
    }),
    connection.on('reset', () => outdated?.()),
  ]
  return () => stops.forEach((stop) => stop())
}

function connectedUserId({ phase, auth }: ConnectionSnapshot): number | undefined {
  return phase === 'ready' ? auth?.user.id : undefined
}
