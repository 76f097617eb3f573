import type texts from '@duet/locales/en/referrals.json'
import type { Feature } from '../../shared/feature.ts'
import { entryParams } from '../../shared/navigation/entry-params.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    referrals: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    referral: { input: Record<never, never>; answer: true }
  }
}

/** Referrals: the own links, and what the invited users brought. */
export const referrals = {
  start({ connection }) {
    const { ref_code: rc, invited_as } = entryParams()
    // A visit that is not counted changes nothing else.
    if (rc && invited_as)
      void connection.http.post('sponsored', { rc, for: invited_as }).catch(() => {})
  },
  navigation: async () => (await import('./navigation.ts')).navigation,
  profileSections: async () => (await import('./profile-sections.ts')).profileSections,
  dialogs: {
    referral: lazyScreen(
      () => import('./referral-dialog.tsx'),
      (module) => module.ReferralDialog,
    ),
  },
  errorAreas: { 'GET ref_stat': 'wallet' },
} satisfies Feature
