import { createElement } from 'react'
import type texts from '@duet/locales/en/identity.json'
import { handledByClient } from '../../shared/feature.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import type { GivenFactor } from '../../shared/account/second-factor.ts'
import { lazyScreen, preloadScreens } from '../../shared/lazy-screen.ts'
import { sendDeviceFingerprint } from './fingerprints/device-fingerprint.ts'
import { refetchPictures, showOwnRecordNotices } from './own-record-notices.ts'
import { applyTheme } from './theme.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { followConnection } from '../../shared/connection/follow-connection.ts'
import { isRegistered } from '../../shared/account/auth-status.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    identity: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    login: { input: { email?: string; reason?: 'registered_only' }; answer: true }
    recovery: { input: { email?: string }; answer: true }
    register: { input: { reason?: 'registered_only' }; answer: true }
    second_factor: {
      input: { methods: readonly string[]; is_wrong: boolean }
      answer: GivenFactor
    }
    register_success: { input: Record<never, never>; answer: never }
    age_confirmation: { input: Record<never, never>; answer: true }
    languages: { input: Record<never, never>; answer: never }
  }
}

const loadDialogs = () => import('./dialogs.ts')
const dialogs = {
  login: lazyScreen(loadDialogs, (module) => module.LoginDialog),
  recovery: lazyScreen(loadDialogs, (module) => module.RecoveryDialog),
  register: lazyScreen(loadDialogs, (module) => module.RegisterDialog),
  second_factor: lazyScreen(loadDialogs, (module) => module.SecondFactorDialog),
  register_success: lazyScreen(loadDialogs, (module) => module.RegisterSuccess),
  age_confirmation: lazyScreen(loadDialogs, (module) => module.AgeGate),
  languages: lazyScreen(loadDialogs, (module) => module.LanguagesDialog),
}
const RecoveryPage = lazyScreen(
  () => import('./recovery/recovery-page.tsx'),
  (module) => module.RecoveryPage,
)
const ConfirmPage = lazyScreen(
  () => import('./recovery/confirm-page.tsx'),
  (module) => module.ConfirmPage,
)
const events: EventHandlers<'identity'> & EventHandlers<'logins'> = {
  auth_success: handledByClient,
  user_info: handledByClient,
  'captcha.verify': handledByClient,
}

/** Identity: age, login, registration, recovery, the own address, password and devices, language and theme. */
export const identity = {
  routes: [
    { path: '/recovery/:recoveryKey', element: createElement(RecoveryPage) },
    { path: '/confirm/:key', element: createElement(ConfirmPage) },
  ],
  navigation: async () => (await import('./navigation.ts')).navigation,
  profileSections: async () => (await import('./profile-sections.ts')).profileSections,
  dialogs,
  events,
  errorAreas: {
    AUTH: 'login',
    'GET forgot_password': 'login',
    'POST recovery_password': 'profile',
    'POST auth/email/resend': 'profile',
    'POST account/sessions/end': 'profile',
    'POST auth/totp/options': 'profile',
    'POST auth/totp/verify': 'profile',
    'POST auth/totp/delete': 'profile',
    'POST auth/passkey/options': 'login',
    'POST auth/passkey/verify': 'profile',
    'POST auth/passkey/delete': 'profile',
    UPDATE_PROFILE: 'profile',
    'POST profile': 'profile',
    'POST age/confirm': 'profile',
  },
  start(context) {
    applyTheme(context)
    sendDeviceFingerprint(context)
    rememberMembership(context)
    showOwnRecordNotices(context)
    refetchPictures(context)
  },
  preload: () => preloadScreens(dialogs),
} satisfies Feature

/** Stores that a member is logged in, so that the next load does not paint the landing page. A referral code ends with registration. */
function rememberMembership({ connection, persistence }: AppServices): void {
  followConnection(connection, {
    ownRecord(auth) {
      persistence.set('member', isRegistered(auth?.user) || undefined)
      if (isRegistered(auth?.user)) persistence.set('ref_code', undefined)
    },
  })
}
