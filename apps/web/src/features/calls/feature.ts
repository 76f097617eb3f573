import type callTexts from '@duet/locales/en/calls.json'
import { notShownYet } from '../../shared/feature.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { callEvents } from './server-events.ts'
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

/** The runtime of calls subscribes to the relayed events. */
const events: EventHandlers<'calls'> = { ...callEvents.handlers, session_hint: notShownYet }

/** The call screen, its texts, the meter and the receipt. */
export const calls = {
  dialogs: {
    leave_call: lazyScreen(
      () => import('./leave-call-dialog.tsx'),
      (module) => module.LeaveCallDialog,
      ['calls'],
    ),
  },
  events,
  errorAreas: {
    SESSION_UP: 'chat',
    SESSION_UP_REACTION: 'chat',
    BREAK_SESSION: 'chat',
    TEXT_CHAT_MESSAGE: 'message',
  },
} satisfies Feature
