import type texts from '@duet/locales/en/legal.json'
import type { Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    legal: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    terms: { input: Record<never, never>; answer: never }
    privacy: { input: Record<never, never>; answer: never }
  }
}

const loadDialogs = () => import('./legal-dialogs.tsx')
const LegalPage = lazyScreen(
  () => import('./legal-page.tsx'),
  (module) => module.LegalPage,
)

/** Legal: terms and privacy, as pages and as dialogs. */
export const legal = {
  routes: [
    { path: '/terms', element: <LegalPage document="terms" /> },
    { path: '/privacy', element: <LegalPage document="privacy" /> },
  ],
  dialogs: {
    terms: lazyScreen(loadDialogs, (module) => module.TermsDialog),
    privacy: lazyScreen(loadDialogs, (module) => module.PrivacyDialog),
  },
} satisfies Feature
