import type { Answer } from '@duet/protocol'
import type { Http } from './http.ts'
import {
  loadSocketLibrary,
  type MainSocket,
  openMainSocket,
  type SocketHandlers,
} from './main-socket.ts'

type System = Answer<'GET system'>

export interface SocketAddress {
  readonly origin: string
  readonly page_origin?: string
}

export interface SocketOpener {
  open(handlers: SocketHandlers): Promise<MainSocket>
  /** The first call gets the answer that the opening of the first socket fetched. Later calls get a new answer. */
  system(): Promise<System>
  /** The key of the installation is kept for the next socket only while it works. */
  forgetKeyUnless(works: boolean): void
}

/** Opens main sockets. Their key is fetched once: a reconnect needs no request before it. */
export function createSocketOpener(
  { origin, page_origin }: SocketAddress,
  http: Http,
): SocketOpener {
  let key: string | undefined
  let unread: Promise<System> | undefined

  async function fetchKey(): Promise<string> {
    const system = http.get('system')
    unread = system
    // When no caller reads this answer, only the attempt to connect reports its failure.
    system.catch(() => {
      if (unread === system) unread = undefined
    })
    const { socket_secret_key } = await system
    return socket_secret_key
  }

  return {
    async open(handlers) {
      // The library is loaded beside the request, not after it.
      void loadSocketLibrary().catch(() => {})
      key ??= await fetchKey()
      return openMainSocket({
        origin,
        secretKey: key,
        ...handlers,
        ...(page_origin && { page_origin }),
      })
    },
    system() {
      const system = unread ?? http.get('system')
      unread = undefined
      return system
    },
    forgetKeyUnless(works) {
      if (!works) key = undefined
    },
  }
}
