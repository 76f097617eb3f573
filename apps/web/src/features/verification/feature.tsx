import type texts from '@duet/locales/en/verification.json'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    verification: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    /** `documents`: the own verification is the proof. */
    age_proof: { input: { provider: string }; answer: never }
  }
}

const Page = lazyScreen(
  () => import('./verification-page.tsx'),
  (module) => module.VerificationPage,
)

const events: EventHandlers<'verification'> = {}

/** Verification: the check of the own identity. */
export const verification = {
  routes: [
    {
      path: '/verification',
      access: 'member',
      element: (
        <main>
          <Page />
        </main>
      ),
    },
  ],
  dialogs: {
    age_proof: lazyScreen(
      () => import('./age-proof-dialog.tsx'),
      (module) => module.AgeProofDialog,
    ),
  },
  profileSections: async () => (await import('./profile-sections.ts')).profileSections,
  events,
  errorAreas: {
    'GET kyc': 'verification',
    'POST upload_passport': 'verification',
    'POST upload_passport/picture': 'verification',
    'POST age/proof': 'verification',
  },
} satisfies Feature
