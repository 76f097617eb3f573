import type texts from '@duet/locales/en/messenger.json'
import { handledByClient, notShownYet } from '../../shared/feature.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { showToast } from '../../shared/toasts.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    messenger: typeof texts
  }
}

const events: EventHandlers<'messenger'> = {
  like_received: ({ nick, mutual }) =>
    withTexts('messenger', () =>
      showToast({ title: t(mutual ? 'notice.like_mutual' : 'notice.like', { nick }) }),
    ),
  messenger_message: handledByClient,
  messenger_message_removed: notShownYet,
  messenger_read_message: notShownYet,
  send_message_success: notShownYet,
  messenger_typing: notShownYet,
  dialog_update: notShownYet,
}

/** Messenger: so far the notice of a like. */
export const messenger = {
  events,
  errorAreas: { MESSAGE: 'message' },
} satisfies Feature
