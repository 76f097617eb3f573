import type texts from '@duet/locales/en/messenger.json'
import type { Favourite } from '@duet/protocol'
import type { Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { receivedLike } from '../../shared/people/received-like.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    messenger: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    clean_dialog: { input: { nick: string }; answer: true }
    send_photos: {
      input: { photos: readonly File[]; nick: string; credits: number }
      answer: true
    }
    delete_dialog: { input: { nick: string }; answer: true }
    choose_person: { input: object; answer: Favourite }
  }
}

const loadDialogs = () => import('./confirm-dialogs.tsx')
const loadSendPhotos = () => import('./photos/send-photos-dialog.tsx')

/** The page loads together with the questions before sending or deleting: the connection may later be lost. */
const Page = lazyScreen(
  () => Promise.all([import('./messenger-page.tsx'), loadDialogs(), loadSendPhotos()]),
  ([module]) => module.MessengerPage,
)
const page = (
  <main>
    <Page />
  </main>
)

/** The notices of events, whether the messenger was shown or not. Its state has a reducer for each event. */
const events = {
  like_received(like, context) {
    receivedLike.set(like)
    void import('./arrivals.ts').then(({ announceLike }) => announceLike(like, context))
  },
  messenger_message: (payload, context) =>
    void import('./arrivals.ts').then(({ announceArrival }) => announceArrival(payload, context)),
} satisfies Feature['events']

/** The messenger: dialogs, messages, and notices of new messages. */
export const messenger = {
  routes: [
    { path: '/messenger', element: page },
    { path: '/messenger/:dialogId', element: page },
  ],
  navigation: async () => (await import('./navigation.ts')).navigation,
  dialogs: {
    send_photos: lazyScreen(loadSendPhotos, (module) => module.SendPhotosDialog),
    choose_person: lazyScreen(
      () => import('./list/choose-person-dialog.tsx'),
      (module) => module.ChoosePersonDialog,
    ),
    clean_dialog: lazyScreen(loadDialogs, (module) => module.CleanDialog),
    delete_dialog: lazyScreen(loadDialogs, (module) => module.DeleteDialog),
  },
  events,
  reducedModules: ['messenger'],
  errorAreas: {
    MESSAGE: 'message',
    MESSENGER_START_DIALOG: 'message',
    CLEAN_DIALOG: 'message',
    DELETE_DIALOG: 'message',
  },
  start(context) {
    void import('./unread-title.ts').then(({ showUnread }) => showUnread(context))
    void import('./state/send-at-login.ts').then(({ sendAtLogin }) => sendAtLogin(context))
  },
} satisfies Feature
