import type { Connection, Persistence } from '@duet/client'
import {
  createBrowserEngine,
  createBrowserMedia,
  type CallEngine,
  type LocalMedia,
} from '@duet/call-engine'
import { openSignal, type SignalSwitch } from './signal-adapter.ts'

/** One engine, one camera and one signalling line for the life of the page. */
export interface EngineInPage {
  readonly media: LocalMedia
  readonly engine: CallEngine
  readonly signal: SignalSwitch
}

export function createEngineInPage(connection: Connection, persistence: Persistence): EngineInPage {
  const media = createBrowserMedia({
    camera_id: persistence.get('video_device') ?? null,
    microphone_id: persistence.get('audio_device') ?? null,
  })
  const signal = openSignal(connection, () => connection.tabId())
  return { media, signal, engine: createBrowserEngine(signal.port, media) }
}
