import type texts from '@duet/locales/en/history.json'
import type { Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    history: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    clear_history: { input: object; answer: true }
  }
}

const Page = lazyScreen(
  () => import('./history-page.tsx'),
  (module) => module.HistoryPage,
)

/** History: the past calls of the viewer, with their receipts. */
export const history = {
  routes: [
    {
      path: '/history',
      access: 'member',
      element: (
        <main>
          <Page />
        </main>
      ),
    },
  ],
  navigation: async () => (await import('./navigation.ts')).navigation,
  dialogs: {
    clear_history: lazyScreen(
      () => import('./clear-history-dialog.tsx'),
      (module) => module.ClearHistoryDialog,
    ),
  },
} satisfies Feature
