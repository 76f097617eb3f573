import type texts from '@duet/locales/en/notices.json'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { storePeople } from '../../shared/people/people.ts'
import { showToast } from '../../shared/toasts.ts'
import { addToBell, markReadInBell, NOTICES_KEY, type BellPages } from './bell-pages.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    notices: typeof texts
  }
}

/** The kinds that no other event shows to a user who is here. */
const TOAST_KINDS: ReadonlySet<string> = new Set(['photo', 'security', 'verification', 'date'])

const UnsubscribePage = lazyScreen(
  () => import('./unsubscribe-page.tsx'),
  (module) => module.UnsubscribePage,
)

const events: EventHandlers<'notices'> = {
  notice: ({ notice }, { queries }) => {
    queries.setQueryData<BellPages>(NOTICES_KEY, (bell) => addToBell(bell, notice))
    if (TOAST_KINDS.has(notice.kind))
      void import('./notice-sentence.ts').then(({ noticeSentence }) =>
        showToast({ id: `notice-${notice.id}`, title: noticeSentence(notice) }),
      )
  },
  notices_read: ({ ids }, { queries }) => {
    queries.setQueryData<BellPages>(NOTICES_KEY, (bell) => markReadInBell(bell, ids))
  },
  wanted_girl_online: ({ user_interlocutor: girl }) => {
    storePeople([girl])
    withTexts(() =>
      showToast({
        id: `online-${girl.id}`,
        title: t('bell.wanted_girl_online', { nick: girl.nick }),
      }),
    )
  },
  premium_guest_online: ({ user_interlocutor: guy }) => {
    storePeople([guy])
    withTexts(() =>
      showToast({
        id: `online-${guy.id}`,
        title: t('bell.premium_guest_online', { nick: guy.nick }),
      }),
    )
  },
}

/** Notices: the bell, its toasts, and how a user is reached while away. */
export const notices = {
  routes: [{ path: '/unsubscribe/:token', element: <UnsubscribePage /> }],
  profileSections: async () => (await import('./profile-sections.ts')).profileSections,
  events,
  start: (context) => void import('./push.ts').then(({ followPush }) => followPush(context)),
} satisfies Feature
