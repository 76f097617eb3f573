import {
  createBrowserEngine,
  createBrowserMedia,
  createSocketSignaling,
  type CallEngine,
  type LocalMedia,
  type SocketSignaling,
} from '@duet/call-engine'
import { createSignalSocket, type ClientConnection, type Persistence } from '@duet/client'

/** One engine, one camera and one signaling socket for the life of the page. */
export interface PageEngine {
  readonly media: LocalMedia
  readonly engine: CallEngine
  readonly signaling: SocketSignaling
}

export function createPageEngine(
  connection: ClientConnection,
  persistence: Persistence,
): PageEngine {
  const media = createBrowserMedia({
    camera_id: persistence.get('video_device') ?? null,
    microphone_id: persistence.get('audio_device') ?? null,
  })
  const signaling = createSocketSignaling((handlers) =>
    createSignalSocket({
      origin: '',
      ortcToken: () => connection.getSnapshot().auth?.user.ortc_token,
      // The id that the main socket authenticated with: the server accepts no other tab.
      tabId: () => connection.tabId(),
      ...handlers,
    }),
  )
  return { media, signaling, engine: createBrowserEngine(signaling.port, media) }
}
