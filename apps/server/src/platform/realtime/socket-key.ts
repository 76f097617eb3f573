import { keyFor } from '../../lib/derived-key.ts'
import type { App } from '../../core/app.ts'

/** The key of `message_main`, 32 bytes. It only keeps casual readers out; no promise depends on it. */
export function socketKey(app: Pick<App, 'config'>): Buffer {
  return keyFor(app.config, 'message_main packets')
}
