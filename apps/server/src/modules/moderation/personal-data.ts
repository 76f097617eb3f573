import type { PersonalTable } from '../../core/personal-data.ts'
import { impersonalTable, personalTable } from '../../platform/personal-data/personal-data.ts'

const DECISION = 'a decision of staff stays, so that it can be examined; ids, reasons and times'

export const personalData: readonly PersonalTable[] = [
  personalTable('masked_text_views', {
    users: ['user_id'],
    erasure: 'kept',
    why: 'a record about staff: proof of who looked, until its retention ends it',
    exported: { not: 'a record about staff' },
  }),
  personalTable('statements', {
    users: ['user_id'],
    erasure: 'kept',
    why: DECISION,
    exported: {
      of: ['user_id'],
      by: 'statement_id',
      columns: ['kind', 'at', 'reason', 'comment', 'until', 'automatic'],
    },
  }),
  personalTable('statement_texts', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'statement_id', columns: ['place', 'text', 'at'] },
  }),
  personalTable('removals', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'statement_id', columns: ['field', 'text'] },
  }),
  personalTable('sanctions', {
    users: ['user_id'],
    erasure: 'kept',
    why: DECISION,
    exported: { of: ['user_id'], by: 'statement_id', columns: ['kind', 'until', 'ended_at'] },
  }),
  personalTable('penalties', {
    users: ['girl_id'],
    erasure: 'kept',
    why: DECISION,
    exported: {
      of: ['girl_id'],
      by: 'statement_id',
      columns: ['place', 'amount', 'paid', 'at', 'returned_at'],
    },
  }),
  personalTable('appeals', {
    users: ['user_id'],
    erasure: 'kept',
    why: DECISION,
    exported: {
      of: ['user_id'],
      by: 'appeal_id',
      columns: ['statement_id', 'text', 'state', 'answer', 'created_at', 'decided_at'],
    },
  }),
  personalTable('complaints', {
    users: ['complainer_id', 'accused_id'],
    erasure: 'kept',
    why: DECISION,
    exported: {
      of: ['complainer_id'],
      by: 'complaint_id',
      columns: ['reason', 'comment', 'at', 'decision', 'decided_at'],
    },
  }),
  personalTable('evidence_files', {
    users: ['user_id'],
    erasure: 'kept',
    why: 'evidence stays until the complaint is decided, and sealed evidence stays for good',
    exported: { not: 'evidence is protected, also from the user it is about' },
  }),
  personalTable('call_frames', {
    users: ['girl_id'],
    erasure: 'cleared',
    why: '`erase` deletes them; a frame of an open case stays until the case is over',
    exported: { of: ['girl_id'], by: 'frame_id', columns: ['session_id', 'at', 'nudity'] },
  }),
  personalTable('frame_findings', {
    users: ['girl_id'],
    erasure: 'kept',
    why: DECISION,
    exported: {
      of: ['girl_id'],
      by: 'statement_id',
      columns: ['session_id', 'kind', 'nudity', 'at'],
    },
  }),
  personalTable('findings', {
    users: ['user_id', 'other_id'],
    erasure: 'deleted',
    exported: { not: 'it would tell a banned user how a return is found' },
  }),
  personalTable('banned_faces', {
    users: ['user_id'],
    erasure: 'deleted',
    // The user is told that a face is kept and since when. The numbers leave the server in no form.
    exported: { of: ['user_id'], by: 'media_id', columns: ['media_id', 'at'] },
  }),
  impersonalTable('compared_portraits', 'ids of pictures, deleted with the row of media'),
  personalTable('missing_frames', {
    users: ['girl_id'],
    erasure: 'kept',
    why: 'figures of a call, until their retention ends them',
    exported: {
      of: ['girl_id'],
      by: 'session_id',
      columns: ['session_id', 'asked', 'received', 'at'],
    },
  }),
  impersonalTable('penalty_pictures', 'screenshots of staff, by the number of a statement'),
  impersonalTable('frame_views', 'looks of staff, by the number of a call'),
]
