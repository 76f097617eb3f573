/**
 * Messenger: dialogs of a guy and a girl, what they write to each other, and what it costs and earns.
 *
 * Tables         dialogs, dialog_members (how each of the two sees a dialog), messages, message_originals (texts before
 *                masking, for staff), unread_counts, likes, liked_counts, given_likes (of a day), message_mails, translations,
 *                translation_uses and translation_days (characters of a day)
 * Does not know  free messages of the day (allowances), how money moves (ledger), the state of a call and the texts in it (calls)
 * Invariants     a message is stored once for its random_id, with one price and one reward (MS1) · ids rise within a dialog
 *                in the order of the commits (MS2) · a message is paid with a free one or a credit that no other message is
 *                paid with (MS3) · counters and last messages equal a recount (MS4) · only the two read a dialog, and a
 *                foreign one is refused as one that does not exist (MS5) · a removed text is in no answer and no event (MS6) ·
 *                a picture is opened by the two of its dialog only, each while they see its message (MS9) ·
 *                a receiver who is away gets one push message for a dialog until they read in it (MS8) · what is
 *                acknowledged survives every crash, and the change log delivers it once (MS11) · only what a user may
 *                read is translated, and a stored translation opens only with its text (MS10)
 */
import { type ActionsOf, type EndpointsOf, module } from '../../core/module.ts'
import { deadLetterRetention } from '../../platform/database/outbox.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { mediaOfDialogs } from '../media/index.ts'
import { girlContact } from '../profile/index.ts'
import { setting } from '../settings/index.ts'
import { followLeaving } from './away/follow-leaving.ts'
import { mailUnread } from './away/mail-unread.ts'
import { deliverMessagePush, MESSAGE_PUSH } from './away/reach-away.ts'
import { enqueueCallEntry, enqueueMissedCall, writeCallEntry } from './entries/call-entry.ts'
import { eraseMessages } from './erase-messages.ts'
import { followBlock, followFavourite } from './on-domain-events.ts'
import { personalData } from './personal-data.ts'
import { followPictureReview } from './pictures/follow-review.ts'
import { readMediaInView, unreadCount } from './queries.ts'
import { cleanDialog, deleteDialog } from './clean-dialog.ts'
import { like } from './entries/like.ts'
import { getCountNewMessages, getDialog, getDialogMessages, getDialogs } from './get-dialogs.ts'
import { readMessages } from './read-messages.ts'
import { sendMessage } from './sending/send-message.ts'
import { contactFields, startDialog } from './start-dialog.ts'
import { translate } from './translation/translate.ts'
import { translateForStaff } from './translation/translate-for-staff.ts'
import { typing } from './typing.ts'
import { followReader, removeDue, stopVanishing } from './vanishing/vanish.ts'
import { removeAgedOriginals } from './vanishing/vanish-store.ts'
import { renderDialogs, renderMessages, renderReads, renderRemoved } from './stored-changes.ts'

export const messenger = module('messenger', {
  actions: {
    MESSENGER_START_DIALOG: startDialog,
    GET_DIALOGS: getDialogs,
    GET_DIALOG: getDialog,
    GET_DIALOG_MESSAGES: getDialogMessages,
    GET_COUNT_NEW_MESSAGES: getCountNewMessages,
    MESSAGE: sendMessage,
    READ_MESSAGE: readMessages,
    TRANSLATE: translate,
    TYPING: typing,
    LIKING_REACTION: like,
    CLEAN_DIALOG: cleanDialog,
    DELETE_DIALOG: deleteDialog,
  } satisfies ActionsOf<'messenger'>,
  endpoints: { 'POST v2/manager/translate': translateForStaff } satisfies EndpointsOf<'messenger'>,
  systemFields: async ({ translator }) => ({
    features: { messenger: { on: true }, translation: { on: translator !== undefined } },
  }),
  authFields: async (app, viewer) => ({
    count_new_messages: viewer.kind === 'member' ? await unreadCount(app.db, viewer.id) : 0,
  }),
  renderChanges: {
    messenger_message: renderMessages,
    messenger_read_message: renderReads,
    messenger_message_removed: renderRemoved,
    dialog_update: renderDialogs,
  },
  subscribers: {
    blocked: followBlock,
    unblocked: followBlock,
    call_closed: enqueueCallEntry,
    call_missed: enqueueMissedCall,
    member_updated: followReader,
    favourite_changed: followFavourite,
    media_reviewed: followPictureReview,
  },
  provides: [
    girlContact.provide(contactFields),
    mediaOfDialogs.provide((db, viewerId, ids, { clock }) =>
      readMediaInView(db, viewerId, ids, clock.now()),
    ),
  ],
  outboxHandlers: { 'call entry': writeCallEntry, [MESSAGE_PUSH]: deliverMessagePush },
  personalData: { tables: personalData, erase: eraseMessages },
  jobs: {
    'messages vanish': {
      summary: 'Removes the texts of messages that have disappeared and were missed by the timers.',
      cron: '* * * * *',
      run: removeDue,
    },
    'messages digest': {
      summary: 'Mails users who are away that they have unread messages, once a day.',
      cron: '*/15 * * * *',
      run: mailUnread,
    },
  },
  start: async (app) => {
    const stopFollowing = followLeaving(app)
    await removeDue(app)
    return () => {
      stopFollowing()
      stopVanishing(app)
    }
  },
  retention: [
    {
      name: 'message_originals',
      column: 'at',
      keepDays: (context) => setting(context, 'text_original_days'),
      purge: removeAgedOriginals,
    },
    deleteRows('given_likes', 'day', () => 2),
    deleteRows('translations', 'at', (context) => setting(context, 'translation_days')),
    deleteRows('translation_uses', 'day', () => 2),
    deleteRows('translation_days', 'day', () => 30),
    deadLetterRetention('call entry'),
    deadLetterRetention(MESSAGE_PUSH),
  ],
})

export { addGiftEntry } from './entries/gift-entry.ts'
export { dialogsOfUser, linesBetween } from './for-staff/read-dialogs.ts'
export { likedUsers } from './entries/liked-users.ts'
export { type MessageRow, rightsOfPair } from './queries.ts'
export { removeMessage, restoreMessage, writtenMessage } from './for-staff/remove-message.ts'
export { readMessages } from './read-messages.ts'
export { sendMessage } from './sending/send-message.ts'
export { typing } from './typing.ts'
export { readWritePermissions } from './write-permissions.ts'
