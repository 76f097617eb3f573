import type { QueueName } from '@duet/protocol'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'

/** The users of a complaint, of masked texts, of findings or of an appeal. */
export async function caseUsers(db: Db, queue: QueueName, id: string): Promise<UserId[]> {
  if (!/^\d{1,15}$/.test(id)) return []
  if (queue === 'complaints') {
    const row = await db
      .selectFrom('complaints')
      .select(['accused_id', 'complainer_id'])
      .where('complaint_id', '=', Number(id))
      .executeTakeFirst()
    return row ? [row.accused_id, row.complainer_id] : []
  }
  if (queue === 'masked' || queue === 'findings') return [Number(id)]
  if (queue !== 'appeals') return []
  const appeal = await db
    .selectFrom('appeals')
    .select('user_id')
    .where('appeal_id', '=', Number(id))
    .executeTakeFirst()
  return appeal ? [appeal.user_id] : []
}
