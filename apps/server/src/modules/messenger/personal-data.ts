import { impersonalTable, personalTable } from '../../platform/personal-data/personal-data.ts'
import type { PersonalTable } from '../../core/personal-data.ts'
import { CONTENT_COLUMNS } from './entries/message-types.ts'

const EXPORTED_CONTENT = [...new Set(Object.values(CONTENT_COLUMNS).flat())]

export const personalData: readonly PersonalTable[] = [
  personalTable('dialogs', {
    users: ['guy_id', 'girl_id'],
    erasure: 'kept',
    why: 'the other one has the dialog too; it holds ids and counts',
    exported: {
      of: ['guy_id', 'girl_id'],
      by: 'id',
      columns: ['guy_id', 'girl_id', 'created_at'],
    },
  }),
  personalTable('dialog_members', {
    users: ['user_id', 'interlocutor_id'],
    erasure: 'kept',
    why: 'the other one has the dialog too; it holds ids and counts',
    exported: { not: 'numbers of the own lists' },
  }),
  personalTable('unread_counts', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { not: 'a counter' },
  }),
  personalTable('message_mails', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { not: 'when mails about messages were sent' },
  }),
  personalTable('messages', {
    users: ['sender_id', 'receiver_id'],
    erasure: 'cleared',
    why: 'the other one has the dialog too: the text goes, the place in the dialog and the books stay',
    exported: {
      of: ['sender_id'],
      by: 'id',
      columns: ['dialog_id', 'type', ...EXPORTED_CONTENT, 'create_time', 'read_at'],
    },
  }),
  personalTable('likes', {
    users: ['liker_id', 'liked_id'],
    // `erase` has removed them, with the counts of the others.
    erasure: 'deleted',
    exported: { of: ['liker_id'], by: 'liked_id', columns: ['liked_id', 'at'] },
  }),
  personalTable('liked_counts', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { not: 'a counter' },
  }),
  personalTable('given_likes', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { not: 'counts of two days' },
  }),
  impersonalTable('translations', 'texts without a name, which only their original opens'),
  impersonalTable('translation_days', 'characters of a day'),
  personalTable('translation_uses', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { not: 'counts of two days' },
  }),
  personalTable('message_originals', {
    users: ['sender_id'],
    erasure: 'kept',
    why: '`erase` removes them, but those whose receiver’s data is held stay as evidence',
    exported: { not: 'kept for staff, for the days that the retention says' },
  }),
]
