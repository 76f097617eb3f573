import type { SessionText } from '@duet/protocol'
import { limits } from '@duet/protocol'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { wireTime } from '../../lib/clock.ts'
import type { Call, Side } from './rules/call.ts'
import { callOf, storedCallOf } from './rows.ts'
import type { StoredCall } from './stored-call.ts'

export async function callById(db: Db, sessionId: number): Promise<StoredCall | undefined> {
  const row = await db
    .selectFrom('video_sessions')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row && storedCallOf(row)
}

/** Closed calls of a user, newest first. A role never changes, so one of the two columns is enough. */
export async function closedCalls(
  db: Db,
  { user_id, side }: { user_id: UserId; side: Side },
  page: { offset: number; limit: number },
): Promise<Call[]> {
  const rows = await db
    .selectFrom('video_sessions')
    .selectAll()
    .where(`${side}_id`, '=', user_id)
    .where('status', '=', 'closed')
    .orderBy('session_id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute()
  return rows.map(callOf)
}

/** Texts are stored in the partition of the month in which their call was opened. */
export function openedAt(db: Db, sessionId: number) {
  return db.selectFrom('video_sessions').select('opened_at').where('session_id', '=', sessionId)
}

/** The last texts of a call, oldest first. */
export async function textsOf(db: Db, sessionId: number): Promise<SessionText[]> {
  const rows = await db
    .selectFrom('session_texts')
    .select(['text_id', 'id', 'sender_id', 'text', 'create_time'])
    .where('call_opened_at', '=', openedAt(db, sessionId))
    .where('session_id', '=', sessionId)
    .orderBy('text_id', 'desc')
    .limit(limits.session_texts)
    .execute()
  return rows.toReversed().map(({ create_time, ...row }) => ({
    ...row,
    session_id: sessionId,
    create_time: wireTime(create_time),
  }))
}
