import type { App } from '../../core/app.ts'
import { createPort } from '../../core/port.ts'
import type { Viewer } from '../../core/viewer.ts'

/** `additional` of 500: what a banned user is told. */
export const readModerationInfo = createPort<
  (app: App, viewer: Viewer) => Promise<Readonly<Record<string, unknown>> | undefined>
>('what a banned user is told', async () => undefined)
