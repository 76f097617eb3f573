import type texts from '@duet/locales/en/favourites.json'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { patchPerson } from '../../shared/people/people.ts'
import { showToast } from '../../shared/toasts.ts'
import {
  FAVOURITES_KEY,
  removeFromFavourites,
  type FavouritePages,
} from '../../shared/people/favourite-pages.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    favourites: typeof texts
  }
}

const Page = lazyScreen(
  () => import('./favourites-page.tsx'),
  (module) => module.FavouritesPage,
)

const events: EventHandlers<'favourites'> = {
  add_favourite_success: ({ user_id }, { queries }) => {
    patchPerson(user_id, { is_favorite: true })
    void queries.invalidateQueries({ queryKey: FAVOURITES_KEY })
  },
  remove_favourite_success: ({ user_id }, { queries }) => {
    patchPerson(user_id, { is_favorite: false })
    queries.setQueryData<FavouritePages>(FAVOURITES_KEY, (pages) =>
      removeFromFavourites(pages, user_id),
    )
  },
  added_your_favorites: ({ nick }) =>
    withTexts(() => showToast({ title: t('notice.favourite', { nick }) })),
}

/** Favourites: users that the viewer marks in order to find them again. */
export const favourites = {
  routes: [
    {
      path: '/favorites',
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
    remove_favourite: lazyScreen(
      () => import('./remove-favourite-dialog.tsx'),
      (module) => module.RemoveFavouriteDialog,
    ),
  },
  events,
} satisfies Feature
