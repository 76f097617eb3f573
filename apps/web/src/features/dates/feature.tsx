import type texts from '@duet/locales/en/dates.json'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { storePeople } from '../../shared/people/people.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    dates: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    cancel_date: { input: { nick: string; text: string }; answer: true }
  }
}

const Page = lazyScreen(
  () => import('./dates-page.tsx'),
  (module) => module.DatesPage,
)

const events: EventHandlers<'dates'> = {
  date_update: ({ date }, { queries }) => {
    if (date.user_interlocutor) storePeople([date.user_interlocutor])
    void queries.invalidateQueries({ queryKey: ['dates'] })
    void queries.invalidateQueries({ queryKey: ['dates/hours'] })
  },
}

/** Dates: private calls by appointment. */
export const dates = {
  routes: [
    {
      path: '/virtualdate',
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
    cancel_date: lazyScreen(
      () => import('./cancel-date-dialog.tsx'),
      (module) => module.CancelDateDialog,
    ),
  },
  events,
} satisfies Feature
