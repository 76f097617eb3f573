import { keyFor } from '../../config.ts'
import type { App } from '../../core/app.ts'

/** The key of `message_main`: it keeps casual readers out, nothing depends on it. 32 bytes. */
export function socketKey(app: Pick<App, 'config'>): Buffer {
  return keyFor(app.config, 'message_main packets')
}
