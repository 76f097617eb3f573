import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import { CanWrite, Dialog, Message } from '../kernel/dialogs.ts'
import { limits } from '../kernel/limits.ts'
import { RequestedLocale } from '../kernel/locale-schemas.ts'
import {
  Amount,
  Count,
  Id,
  notes,
  nothing,
  boundedText,
  Time,
  UserId,
  Uuid,
} from '../kernel/primitives.ts'

const DialogId = z.object({ dialogId: Id })
const RandomId = z
  .string()
  .min(1)
  .max(limits.random_id_characters)
  .refine((id) => id.isWellFormed(), 'Half of a surrogate pair')

const readingActions = {
  GET_DIALOGS: action('GET_DIALOGS', {
    method: 'getDialogs',
    summary: 'The own dialogs, newest activity first.',
    who: 'member',
    data: z.object({
      before: Id.optional(),
      limit: z.int().positive().max(limits.dialogs).default(limits.dialogs),
      filter: z.enum(['all', 'unread', 'favourites']).default('all'),
      query: z.string().max(limits.query_characters).optional(),
    }),
    ack: z.object({ dialogs: z.array(Dialog) }),
    refuses: [],
  }),
  GET_DIALOG: action('GET_DIALOG', {
    method: 'getDialog',
    summary: 'One of the own dialogs.',
    who: 'member',
    data: DialogId,
    ack: z.object({ dialog: Dialog }),
    refuses: ['not_found'],
  }),
  GET_DIALOG_MESSAGES: action('GET_DIALOG_MESSAGES', {
    method: 'getDialogMessages',
    summary: 'Messages of a dialog, oldest first, 50 a page; before and after go by message.',
    who: 'member',
    data: DialogId.extend({
      page: z.int().positive().max(limits.dialog_pages).optional(),
      before: Id.optional(),
      after: Id.optional(),
    }),
    ack: z.object({ messages: z.array(Message).max(limits.dialog_messages) }),
    refuses: ['not_found'],
  }),
  GET_COUNT_NEW_MESSAGES: action('GET_COUNT_NEW_MESSAGES', {
    method: 'getCountNewMessages',
    summary: 'The number of unread messages.',
    who: 'member',
    data: nothing,
    ack: z.object({ count_new_messages: Count }),
    refuses: [],
  }),
  TRANSLATE: action('TRANSLATE', {
    method: 'translate',
    summary: 'Translates a message of a dialog, or a text of a call, that the user may read.',
    who: 'member',
    rate: '60/min',
    data: z
      .object({ message_id: Id.optional(), text_id: Id.optional(), locale: RequestedLocale })
      .refine((asked) => (asked.message_id === undefined) !== (asked.text_id === undefined), {
        path: ['message_id'],
        message: 'Either message_id or text_id',
        // Of a wrong id only the id is named.
        when: ({ issues }) => issues.length === 0,
      })
      .register(notes, { examples: [{ message_id: 41, locale: 'de' }] }),
    ack: z.object({
      translate_message: z.string(),
      /** The language of the original as a tag of BCP 47, where it was recognised. */
      from: z.string().optional(),
    }),
    refuses: ['not_found', 'method_unavailable', 'too_many'],
  }),
}

const writingActions = {
  LIKING_REACTION: action('LIKING_REACTION', {
    method: 'like',
    summary:
      'Likes a user, or takes the like back. A girl’s like opens the dialog to the guy; a guy’s gives no right to write. Once a user, 20 a day.',
    who: 'member',
    rate: '30/min',
    data: z.object({ user_id: UserId, session_id: Id.optional(), like: z.boolean() }),
    ack: z.object({ mutual: z.boolean() }),
    refuses: ['not_found', 'blocked', 'too_many'],
  }),
  MESSENGER_START_DIALOG: action('MESSENGER_START_DIALOG', {
    method: 'startDialog',
    summary: 'Opens a dialog; 362 with its id when it exists.',
    who: 'member',
    rate: '30/min',
    data: z.object({ interlocutor_id: UserId }),
    ack: z.object({ dialog_id: Id }),
    refuses: ['not_found', 'blocked', 'premium_only', 'no_first_write', 'dialog_exists'],
  }),
  MESSAGE: action('MESSAGE', {
    method: 'sendDialogMessage',
    summary:
      'Writes into a dialog; masked before it is stored. An image carries an upload of its sender and no text; a guy sends images with Premium. The same random_id again gives the first answer.',
    who: 'member',
    data: DialogId.extend({
      message: boundedText(limits.message_characters),
      random_id: RandomId,
      // An unknown type is refused as type_unsupported, not as invalid.
      type: z.string().max(limits.name_characters).default('text'),
      media_id: Uuid.optional(),
    }),
    ack: z.object({
      message_id: Id,
      random_id: RandomId,
      message: z.string(),
      create_time: Time,
      reward: Amount.optional(),
      /** The message credits that it cost. */
      price: Count.optional(),
      can_write: CanWrite,
    }),
    refuses: [
      'not_found',
      'blocked',
      'premium_only',
      'message_limit',
      'no_balance',
      'no_first_write',
      'type_unsupported',
      'image_removed',
    ],
  }),
  READ_MESSAGE: action('READ_MESSAGE', {
    method: 'readDialogMessages',
    summary:
      'Marks these messages read; answers when the first of the vanishing ones disappears. The events name the time of each.',
    who: 'member',
    data: DialogId.extend({ message_ids: z.array(Id).min(1).max(limits.read_messages) }),
    ack: z.object({ vanish_at: Time.optional() }),
    refuses: ['not_found'],
  }),
  DELETE_DIALOG: action('DELETE_DIALOG', {
    method: 'deleteDialog',
    summary: 'Removes the dialog from the own list; the interlocutor’s list does not change.',
    who: 'member',
    rate: '30/min',
    data: DialogId,
    ack: nothing,
    refuses: ['not_found'],
  }),
  CLEAN_DIALOG: action('CLEAN_DIALOG', {
    method: 'cleanDialog',
    summary: 'Empties the own view of the dialog; the interlocutor’s view does not change.',
    who: 'member',
    rate: '30/min',
    data: DialogId,
    ack: nothing,
    refuses: ['not_found'],
  }),
  TYPING: action('TYPING', {
    method: 'typing',
    summary: 'Shows the interlocutor that the user is typing; never stored.',
    who: 'member',
    data: DialogId,
    ack: nothing,
    silent: true,
    refuses: ['not_found'],
  }),
}

export const actions = { ...readingActions, ...writingActions }

export const events = {
  like_received: event('like_received', {
    summary: 'Another user likes the reader; the durable message of type like comes beside it.',
    payload: z.object({
      user_id: UserId,
      nick: z.string(),
      session_id: Id.optional(),
      mutual: z.boolean(),
    }),
  }),
  messenger_message: event('messenger_message', {
    summary:
      'A message, also an own one; with the dialog where it is new, restored or may be written to from now on. Sent again when staff have decided about its picture.',
    durable: true,
    payload: z.object({ message: Message, dialog: Dialog.optional(), count_new_messages: Count }),
  }),
  messenger_message_removed: event('messenger_message_removed', {
    summary:
      'Messages were removed: expired, against the rules, or cleaned in another tab of the reader.',
    durable: true,
    payload: z.object({
      dialog_id: Id,
      message_ids: z.array(Id),
      reason: z.enum(['expired', 'violation', 'cleaned']),
      /** Instead of ids: every message up to this message. */
      up_to: Id.optional(),
      /** The dialog left the list of the reader as well. */
      deleted: z.boolean().optional(),
      count_new_messages: Count.optional(),
    }),
  }),
  messenger_read_message: event('messenger_read_message', {
    summary:
      'Messages were read, by the interlocutor or by the reader; vanish_at is that of all its message_ids. Sent again without vanish_at when they are kept after all.',
    durable: true,
    payload: z.object({
      dialog_id: Id,
      message_ids: z.array(Id),
      vanish_at: Time.optional(),
      /** Only for the user who read the messages. */
      count_new_messages: Count.optional(),
    }),
  }),
  send_message_success: event('send_message_success', {
    summary: 'The own message was stored; for a girl with her reward.',
    payload: z.object({
      dialog_id: Id,
      random_id: RandomId,
      message_id: Id,
      create_time: Time,
      reward: Amount.optional(),
    }),
  }),
  messenger_typing: event('messenger_typing', {
    summary: 'The interlocutor is typing.',
    payload: z.object({ dialog_id: Id, user_id: UserId }),
  }),
  dialog_update: event('dialog_update', {
    summary: 'A dialog changed otherwise: right to write, favourite, block.',
    durable: true,
    payload: z.object({
      dialog: Dialog,
      /** The dialog has left the list of the reader since. */
      deleted: z.boolean().optional(),
    }),
  }),
}

export const endpoints = {
  'POST v2/manager/translate': endpoint('POST', 'v2/manager/translate', {
    summary:
      'Translates texts that a member of staff reads or writes in a case. A text that the service cannot translate is null.',
    who: 'moderator',
    credential: 'staff',
    rate: '120/min',
    body: z.object({
      texts: z
        .array(boundedText(limits.comment_characters).min(1))
        .min(1)
        .max(limits.texts_translated),
      locale: RequestedLocale,
    }),
    data: z.object({ translations: z.array(z.string().nullable()) }),
    refuses: ['method_unavailable', 'too_many'],
  }),
}
