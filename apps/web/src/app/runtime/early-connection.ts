import type { ClientConnection, ConnectionSnapshot } from '@duet/client'

type EarlyPart = Pick<ClientConnection, 'getSnapshot' | 'subscribe' | 'ready'>

const NOT_CONNECTED: ConnectionSnapshot = { phase: 'connecting' }

/**
 * Stands for the connection until the connection's code is loaded: the user may press on the landing page earlier. A
 * caller that waits for the connection also waits for the code. After `attach` every use reaches the connection itself.
 */
export function createEarlyConnection() {
  let attached: ClientConnection | undefined
  let resolveAttached: (connection: ClientConnection) => void
  const attachment = new Promise<ClientConnection>((resolve) => {
    resolveAttached = resolve
  })
  const early: EarlyPart = {
    getSnapshot: () => attached?.getSnapshot() ?? NOT_CONNECTED,
    subscribe(listener) {
      const ended = new AbortController()
      void attachment.then((connection) => {
        if (ended.signal.aborted) return
        ended.signal.addEventListener('abort', connection.subscribe(listener))
        listener()
      })
      return () => ended.abort()
    },
    ready: async (limitMs) => (await attachment).ready(limitMs),
  }
  return {
    connection: new Proxy(early, {
      get: (part, name) => Reflect.get(attached ?? part, name) as unknown,
    }) as ClientConnection,
    attach(connection: ClientConnection): void {
      attached = connection
      resolveAttached(connection)
    },
  }
}
