import type texts from '@duet/locales/en/boys.json'
import type { Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    boys: typeof texts
  }
}

const Page = lazyScreen(
  () => import('./boys-page.tsx'),
  (module) => module.BoysPage,
)

/** Boys: a girl finds the guys where the other users find the girls. */
export const boys = {
  routes: [
    {
      path: '/girls',
      role: 'girl',
      access: 'member',
      element: (
        <main>
          <Page />
        </main>
      ),
    },
  ],
  navigation: async () => (await import('./navigation.ts')).navigation,
} satisfies Feature
