import type callTexts from '@duet/locales/en/calls.json'
import { handledByClient } from '../../shared/feature.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
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

/** The reducer of calls receives these events from the runtime (`app/video/video-runtime.ts`). */
const events: EventHandlers<'calls'> = {
  new_session: handledByClient,
  close_session: handledByClient,
  session_up: handledByClient,
  session_up_declined: handledByClient,
  meter: handledByClient,
  text_chat_message: handledByClient,
  session_typing: handledByClient,
  session_hint: handledByClient,
}

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
