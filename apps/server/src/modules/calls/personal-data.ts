import { personalTable } from '../../platform/personal-data/personal-data.ts'
import type { PersonalTable } from '../../core/personal-data.ts'

export const personalData: readonly PersonalTable[] = [
  personalTable('video_sessions', {
    users: ['guy_id', 'girl_id'],
    erasure: 'kept',
    why: 'the partner has the call too, and the books refer to it; it holds ids, times and amounts',
    exported: {
      of: ['guy_id', 'girl_id'],
      by: 'session_id',
      columns: ['kind', 'state', 'opened_at', 'closed_at', 'reason', 'paid_seconds'],
    },
  }),
  personalTable('session_texts', {
    users: ['sender_id'],
    erasure: 'kept',
    why: '`erase` deletes them, but those whose partner’s data is held stay as evidence',
    exported: {
      of: ['sender_id'],
      by: 'text_id',
      columns: ['session_id', 'text', 'create_time'],
    },
  }),
  personalTable('cleared_histories', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'user_id', columns: ['at'] },
  }),
  personalTable('call_flags', {
    users: ['user_id', 'partner_id'],
    erasure: 'kept',
    why: 'evidence about reports of calls, kept as long as its retention says; without words of the user',
    exported: { not: 'evidence that staff may still need' },
  }),
  personalTable('call_media', {
    users: ['user_id'],
    erasure: 'kept',
    why: 'evidence about calls, kept as long as its retention says; without words of the user',
    exported: { of: ['user_id'], by: 'id', columns: ['session_id', 'audio', 'video', 'at'] },
  }),
  personalTable('session_logs', {
    users: ['user_id'],
    erasure: 'aged',
    why: 'technical lines about a connection',
    exported: { not: 'technical lines about a connection, for days' },
  }),
]
