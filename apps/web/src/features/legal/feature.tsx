import type texts from '@duet/locales/en/legal.json'
import type reportTexts from '@duet/locales/en/report.json'
import type { Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    legal: typeof texts
    report: typeof reportTexts
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

const ReportPages = lazyScreen(
  () => import('./report/report-pages.tsx'),
  (module) => module.ReportPages,
)

/** Legal: terms and privacy, as pages and as dialogs, and the public forms that need no account. */
export const legal = {
  routes: [
    { path: '/terms', element: <LegalPage document="terms" /> },
    { path: '/privacy', element: <LegalPage document="privacy" /> },
    { path: '/report/*', element: <ReportPages /> },
  ],
  dialogs: {
    terms: lazyScreen(loadDialogs, (module) => module.TermsDialog),
    privacy: lazyScreen(loadDialogs, (module) => module.PrivacyDialog),
  },
} satisfies Feature
