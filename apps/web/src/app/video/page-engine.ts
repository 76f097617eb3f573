import {
  createBrowserEngine,
  createBrowserMedia,
  createSocketSignaling,
  type CallEngine,
  type LocalMedia,
  type SocketSignaling,
} from '@duet/call-engine'
import {
  createSignalSocket,
  persistence as persistenceIn,
  type ClientConnection,
  type Persistence,
} from '@duet/client'
import { callChoices, storeCallChoicesIn } from '../../shared/video/call-choices.ts'
import { tabStorage } from '../local-storage.ts'

/** One engine, one camera and one signaling socket serve the page for its whole life. */
export interface PageEngine {
  readonly media: LocalMedia
  readonly engine: CallEngine
  readonly signaling: SocketSignaling
  /** The memory of this tab, which a reload keeps. */
  readonly tab: Persistence
}

export function createPageEngine(
  connection: ClientConnection,
  persistence: Persistence,
): PageEngine {
  const tab = persistenceIn(tabStorage())
  const media = rememberedMedia(persistence, tab)
  const signaling = createSocketSignaling((handlers) =>
    createSignalSocket({
      origin: '',
      ortcToken: () => connection.getSnapshot().auth?.user.ortc_token,
      // The id that the main socket authenticated with: the server accepts no other tab.
      tabId: () => connection.tabId(),
      ...handlers,
    }),
  )
  const engine = createBrowserEngine(signaling.port, media)
  storeCallChoicesIn(persistence)
  engine.data_use.want(callChoices.getSnapshot().data_mode)
  callChoices.subscribe(() => engine.data_use.want(callChoices.getSnapshot().data_mode))
  return { media, signaling, tab, engine }
}

/** The devices as the user left them: muted on this device, the camera off in this tab. A reload switches no device on. */
function rememberedMedia(persistence: Persistence, tab: Persistence): LocalMedia {
  const media = createBrowserMedia(
    {
      camera_id: persistence.get('video_device') ?? null,
      microphone_id: persistence.get('audio_device') ?? null,
    },
    { microphone: !persistence.get('muted'), camera: !tab.get('camera_off') },
  )
  let { wanted } = media.getSnapshot()
  media.subscribe(() => {
    const now = media.getSnapshot().wanted
    if (now === wanted) return
    wanted = now
    persistence.set('muted', now.microphone ? undefined : true)
    tab.set('camera_off', now.camera ? undefined : true)
  })
  return media
}
