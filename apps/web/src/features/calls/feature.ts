import type callTexts from '@duet/locales/en/calls.json'
import type { Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    calls: typeof callTexts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    leave_call: { input: { nick: string }; answer: 'stay' | 'keep' | 'end' }
  }
}

/** Loaded with the call, so that Back can ask at once, also without a connection. */
export const loadLeaveDialog = () => import('./leave-call-dialog.tsx')

/** The call screen, its texts, the meter and the receipt. */
export const calls = {
  dialogs: {
    leave_call: lazyScreen(loadLeaveDialog, (module) => module.LeaveCallDialog),
  },
  reducedModules: ['calls'],
  errorAreas: {
    SESSION_UP: 'chat',
    SESSION_UP_REACTION: 'chat',
    BREAK_SESSION: 'chat',
    TEXT_CHAT_MESSAGE: 'message',
  },
} satisfies Feature
