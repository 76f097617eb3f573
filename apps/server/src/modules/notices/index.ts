/**
 * Notices: the bell of a member, and how its lines reach a member who is away.
 *
 * Tables         notices, wanted_girls, arrivals (users whose coming online is being announced), push_subscriptions
 * Does not know  what happened: callers name a kind and its facts; favourites and calls (`interestedIn` of other modules)
 * Invariants     a notice is written in the transaction of its cause, once for its key (N1) · a user hears of the same user
 *                coming online at most once in 6 hours (N2) · a user who hides is announced to no one they hide from (N3) ·
 *                the work of announcing a user is done in bounded steps, however many want to know (N4) ·
 *                a push message reaches only browsers in which its reader is logged in (N5)
 */
import { type ActionsOf, type EndpointsOf, module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { deadLetterRetention } from '../../platform/database/outbox.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { followArrivals } from './announce-arrivals.ts'
import { noticesPage, renderNotices, wantedFields } from './queries.ts'
import { readNotices } from './read-notices.ts'
import {
  endWishesBetweenBlocked,
  noticeAddedBalance,
  noticePremiumEnd,
  noticeSecurity,
} from './on-domain-events.ts'
import { deliverPush, PUSH } from './push-notice.ts'
import { interestedInGirl } from './receivers.ts'
import { sendDigests } from './send-digests.ts'
import { updatePush } from './update-push.ts'
import { wantGirl } from './want-girl.ts'

export const notices = module('notices', {
  actions: {
    WANT_GIRL: wantGirl,
    UPDATE_PUSH: updatePush,
  } satisfies ActionsOf<'notices'>,
  endpoints: {
    'GET notices': noticesPage,
    'POST notices/read': readNotices,
  } satisfies EndpointsOf<'notices'>,
  systemFields: async ({ push }) => ({ features: { push: { on: true, key: push.public_key } } }),
  outboxHandlers: { [PUSH]: deliverPush },
  publicFields: wantedFields,
  interestedIn: interestedInGirl,
  renderChanges: { notice: renderNotices },
  subscribers: {
    balance_added: noticeAddedBalance,
    blocked: endWishesBetweenBlocked,
    premium_ended: noticePremiumEnd,
    security_changed: noticeSecurity,
  },
  personalData: {
    tables: [
      personalTable('notices', {
        users: ['user_id', 'about_id'],
        erasure: 'deleted',
        exported: { of: ['user_id'], by: 'id', columns: ['kind', 'facts', 'at', 'read_at'] },
      }),
      personalTable('wanted_girls', {
        users: ['guy_id', 'girl_id'],
        erasure: 'deleted',
        exported: { of: ['guy_id'], by: 'girl_id', columns: ['at'] },
      }),
      personalTable('push_subscriptions', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { not: 'addresses at which browsers take messages, with their keys' },
      }),
      personalTable('arrivals', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { not: 'the announcement of the last visit, for a day' },
      }),
    ],
  },
  jobs: {
    'notices digest': {
      summary: 'Mails what users who are away have not read, once a day.',
      cron: '*/15 * * * *',
      run: sendDigests,
    },
  },
  retention: [
    deleteRows('notices', 'at', (context) => setting(context, 'notice_days')),
    deleteRows('wanted_girls', 'at', (context) => setting(context, 'wanted_days')),
    // A browser that is in use sends its address again at each visit.
    deleteRows('push_subscriptions', 'at', (context) => setting(context, 'wanted_days')),
    // Only open arrivals and arrivals of the last half hour are read.
    deleteRows('arrivals', 'arrived_at', () => 1),
    deadLetterRetention(PUSH),
  ],
  start: async (app) => followArrivals(app),
})
export { addNotice } from './add-notice.ts'
export { hasNotice } from './queries.ts'
export { readBrowsers } from './push-queries.ts'
export { type PushText, sendPush } from './send-push.ts'
export { dateTitle, messageSentence, ringSentence } from './sentence.ts'
