import { handledByClient, notShownYet } from '../../shared/feature.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { sendDeviceFingerprint } from './device-fingerprint.ts'
import { showOwnRecordNotices } from './own-record-notices.ts'
import { rememberMembership } from './membership.ts'
import { profileSaves } from './profile-saves.ts'
import { applyTheme } from './theme.ts'

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    login: { input: { email?: string; reason?: 'registered_only' }; answer: true }
    register: { input: { reason?: 'registered_only' }; answer: true }
    register_success: { input: Record<never, never>; answer: never }
    age_confirmation: { input: Record<never, never>; answer: true }
    languages: { input: Record<never, never>; answer: never }
  }
}

const loadDialogs = () => import('./dialogs.ts')
const OwnPage = lazyScreen(
  () => import('./own-page.tsx'),
  (module) => module.OwnPage,
)

const events: EventHandlers<'identity'> = {
  auth_success: handledByClient,
  update_profile_success: ({ register }) => {
    if (!register) profileSaves.update((count) => count + 1)
  },
  user_info: handledByClient,
  'captcha.verify': notShownYet,
}

/** Identity: age, login, registration, the own page, language and theme. */
export const identity = {
  routes: [
    {
      path: '/profile',
      access: 'member',
      element: (
        <main>
          <OwnPage />
        </main>
      ),
    },
  ],
  navigation: async () => (await import('./navigation.ts')).navigation,
  dialogs: {
    login: lazyScreen(loadDialogs, (module) => module.LoginDialog),
    register: lazyScreen(loadDialogs, (module) => module.RegisterDialog),
    register_success: lazyScreen(loadDialogs, (module) => module.RegisterSuccess),
    age_confirmation: lazyScreen(loadDialogs, (module) => module.AgeGate),
    languages: lazyScreen(loadDialogs, (module) => module.LanguagesDialog),
  },
  events,
  errorAreas: {
    AUTH: 'login',
    UPDATE_PROFILE: 'profile',
    'POST profile': 'profile',
    'POST age/confirm': 'profile',
  },
  start(context) {
    applyTheme(context)
    sendDeviceFingerprint(context)
    rememberMembership(context)
    showOwnRecordNotices(context)
  },
  preload: loadDialogs,
} satisfies Feature
