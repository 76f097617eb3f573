import type texts from '@duet/locales/en/moderation.json'
import { handledByClient } from '../../shared/feature.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { showToast } from '../../shared/toasts.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    moderation: typeof texts
  }
}

const events: EventHandlers<'moderation'> = {
  // The own record holds the ban, and the layout shows it instead of every page.
  banned: handledByClient,
  unbanned: () => withTexts(() => showToast({ title: t('ban.over') })),
  frame_request: handledByClient,
  penalty: handledByClient,
}

/** Moderation: the notice of a ban, and the decisions about the user. */
export const moderation = {
  profileSections: async () => (await import('./profile-sections.ts')).profileSections,
  events,
} satisfies Feature
