import type texts from '@duet/locales/en/catalogue.json'
import type { Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    catalogue: typeof texts
  }
}

const Page = lazyScreen(
  () => import('./catalogue-page.tsx'),
  (module) => module.CataloguePage,
)

/** Catalogue: the girls that guys and visitors may choose from. */
export const catalogue = {
  routes: [
    {
      path: '/girls',
      element: (
        <main>
          <Page />
        </main>
      ),
    },
  ],
  navigation: async () => (await import('./navigation.ts')).navigation,
} satisfies Feature
