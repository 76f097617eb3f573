import type { App } from '../../core/app.ts'
import { createPort } from '../../core/port.ts'

/** Runs once, when the server listens after its start: from now on users can reach it. */
export const whenListening = createPort<(app: App) => Promise<void>>(
  'the work at the first moment of listening',
  async () => {},
)
