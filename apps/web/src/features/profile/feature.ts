import type texts from '@duet/locales/en/profile.json'
import type rules from '@duet/locales/en/rules.json'
import { type EventHandlers, type Feature, handledByClient } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    profile: typeof texts
    rules: typeof rules
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    leave_unsaved: { input: Record<never, never>; answer: true }
  }
}

const events: EventHandlers<'profile'> = { update_profile_success: handledByClient }

/** Profile: the data that users show of themselves, and the page that collects the sections of all features. */
export const profile = {
  profileSections: async () => (await import('./profile-sections.ts')).profileSections,
  dialogs: {
    leave_unsaved: lazyScreen(
      () => import('./leave-unsaved-dialog.tsx'),
      (module) => module.LeaveUnsavedDialog,
    ),
  },
  events,
} satisfies Feature
