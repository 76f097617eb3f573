import type { QueueName } from '@duet/protocol'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'

/** The users of a complaint, of masked texts, of findings or of an appeal. */
export async function caseUsers(db: Db, queue: QueueName, item: string): Promise<UserId[]> {
  const id = parseId(item)
  if (id === undefined) return []
  if (queue === 'complaints') {
    const row = await db
      .selectFrom('complaints')
      .select(['accused_id', 'complainer_id'])
      .where('complaint_id', '=', id)
      .executeTakeFirst()
    return row ? [row.accused_id, row.complainer_id] : []
  }
  if (queue === 'masked' || queue === 'findings') return [id]
  if (queue !== 'appeals') return []
  const appeal = await db
    .selectFrom('appeals')
    .select('user_id')
    .where('appeal_id', '=', id)
    .executeTakeFirst()
  return appeal ? [appeal.user_id] : []
}
