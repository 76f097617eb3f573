import type texts from '@duet/locales/en/moderation.json'
import { dialogs } from '../../shared/dialogs.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import type {} from '../../shared/people/report.ts'
import { showToast, showToastInCall } from '../../shared/toasts.ts'
import { showDecision } from './decision-dialog.ts'
import { followUnread } from './unread-statement.ts'
import { sendFrames } from './send-frames.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    moderation: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    statement: { input: { readonly id: number }; answer: true }
    penalty: { input: Parameters<EventHandlers<'moderation'>['penalty']>[0]; answer: true }
  }
}

const events: EventHandlers<'moderation'> = {
  // The own record holds the ban, and the layout shows it instead of every page. An open dialog would lie above it.
  banned: () => dialogs.closeAll(),
  unbanned: () => withTexts(() => showToast({ title: t('ban.over') })),
  frame_request: (request, context) =>
    void sendFrames(request, context).catch(() => {
      // The complaint stands without the frame.
    }),
  call_warning: ({ rule, automatic }) =>
    withTexts(() =>
      showToastInCall({
        kind: 'error',
        title: t(rule === 'nudity_public' ? 'warning.nudity_public' : 'warning.title'),
        text: t(automatic ? 'warning.text' : 'warning.by_staff'),
      }),
    ),
  statement: ({ id }, { queries }) => {
    showDecision('statement', { id })
    void queries.invalidateQueries({ queryKey: ['statements'] })
  },
  penalty: (penalty, { queries }) => {
    showDecision('penalty', penalty)
    void queries.invalidateQueries({ queryKey: ['penalties'] })
    void queries.invalidateQueries({ queryKey: ['statements'] })
  },
}

/** Moderation: the notice of a ban, and the decisions about the user. */
export const moderation = {
  start: followUnread,
  dialogs: {
    statement: lazyScreen(
      () => import('./statement-dialog.tsx'),
      (module) => module.StatementDialog,
    ),
    penalty: lazyScreen(
      () => import('./penalty-dialog.tsx'),
      (module) => module.PenaltyDialog,
    ),
    complaint: lazyScreen(
      () => import('./complaint-dialog.tsx'),
      (module) => module.ComplaintDialog,
    ),
  },
  profileSections: async () => (await import('./profile-sections.ts')).profileSections,
  events,
} satisfies Feature
