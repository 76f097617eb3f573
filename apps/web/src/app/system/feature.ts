import { handledByClient } from '../../shared/feature.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import type { ErrorDialogInput } from '../errors/error-texts.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    error: { input: ErrorDialogInput; answer: never }
    captcha: { input: { key: number }; answer: never }
  }
}

const error = lazyScreen(
  () => import('../dialogs/error-dialog.tsx'),
  (module) => module.ErrorDialog,
)

const loadCaptchaDialog = () => import('./captcha/captcha-dialog.tsx')

const events: EventHandlers<'system'> = {
  force_close_connection: () => location.reload(),
  reconnect: handledByClient,
}

/** The connection's own events and the error dialog. */
export const system = {
  events,
  dialogs: {
    error,
    captcha: lazyScreen(loadCaptchaDialog, (module) => module.CaptchaDialog),
  },
  // An error about a missing network cannot be fetched then.
  preload: error.preload,
} satisfies Feature
