import type texts from '@duet/locales/en/girl-page.json'
import type { Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    'girl-page': typeof texts
  }
}

const GirlPage = lazyScreen(
  () => import('./girl-page.tsx'),
  (module) => module.GirlPage,
)

/** The page of a girl, by her code. */
export const girlPage = {
  routes: [
    {
      path: '/girl/:refCode',
      element: (
        <main>
          <GirlPage />
        </main>
      ),
    },
  ],
  dialogs: {
    block_user: lazyScreen(
      () => import('./block-dialog.tsx'),
      (module) => module.BlockDialog,
    ),
  },
} satisfies Feature
