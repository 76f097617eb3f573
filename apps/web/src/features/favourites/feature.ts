import type texts from '@duet/locales/en/favourites.json'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { patchPerson } from '../../shared/people/people.ts'
import { showToast } from '../../shared/toasts.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    favourites: typeof texts
  }
}

const events: EventHandlers<'favourites'> = {
  add_favourite_success: ({ user_id }) => patchPerson(user_id, { is_favorite: true }),
  remove_favourite_success: ({ user_id }) => patchPerson(user_id, { is_favorite: false }),
  added_your_favorites: ({ nick }) =>
    withTexts('favourites', () => showToast({ title: t('notice.favourite', { nick }) })),
}

/** Favourites: users marked to find them again. */
export const favourites = {
  dialogs: {
    remove_favourite: lazyScreen(
      () => import('./remove-favourite-dialog.tsx'),
      (module) => module.RemoveFavouriteDialog,
      ['favourites'],
    ),
  },
  events,
} satisfies Feature
