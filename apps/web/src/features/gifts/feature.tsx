import type texts from '@duet/locales/en/gifts.json'
import type { Gift, UserInterlocutor } from '@duet/protocol'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    gifts: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    gift: {
      /** `anchor`: the button in a call above which the gifts stand on a desktop. */
      input: {
        person: UserInterlocutor
        session_id?: number
        dialog_id?: number
        anchor?: Element
      }
      answer: true
    }
    present_success: { input: { person: UserInterlocutor; gift: Gift }; answer: true }
  }
}

const Page = lazyScreen(
  () => import('./gifts-page.tsx'),
  (module) => module.GiftsPage,
)

const events: EventHandlers<'gifts'> = {
  got_gift: (gift, context) =>
    void import('./follow-gifts.tsx')
      .then(({ followReceived }) => followReceived(gift, context))
      // Without the list of gifts the dialog of the two still shows the gift.
      .catch(() => {}),
  give_gift_success: (_given, { queries }) =>
    void queries.invalidateQueries({ queryKey: ['girl_gifts'] }),
}

/** Gifts: the list to give from, and the own gifts. */
export const gifts = {
  routes: [
    {
      path: '/gifts',
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
    gift: lazyScreen(
      () => import('./gift-dialog.tsx'),
      (module) => module.GiftDialog,
    ),
    present_success: lazyScreen(
      () => import('./present-success-dialog.tsx'),
      (module) => module.PresentSuccessDialog,
    ),
  },
  errorAreas: { GIVE_GIFT: 'gift' },
  events,
} satisfies Feature
