import type { Answer, Body, Query } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { Staff } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { type MessageRow, removeMessage, writtenMessage } from '../../messenger/index.ts'
import { requireOtherPerson } from '../../staff/index.ts'
import { announceStatement } from '../sanctions/announce-statement.ts'
import { insertRemoval } from './removal-store.ts'

/** POST v2/manager/messages/{id}/remove. Refuses not_found, decided if it is removed, role_forbidden, bulk_stopped. */
export function removeByStaff(
  app: App,
  staff: Staff,
  {
    id: message_id,
    reason,
    comment,
  }: Query<'POST v2/manager/messages/{id}/remove'> & Body<'POST v2/manager/messages/{id}/remove'>,
): Promise<Answer<'POST v2/manager/messages/{id}/remove'>> {
  return app.transact(async (tx) => {
    const message = (await writtenMessage(tx, message_id)) ?? refuse('not_found')
    const { sender_id: user_id, receiver_id } = message
    await requireOtherPerson(tx, staff, [user_id, receiver_id])
    return (await removeStated(tx, staff, message, { reason, comment })) ?? refuse('decided')
  })
}

type Grounds = Body<'POST v2/manager/messages/{id}/remove'>

/** Removes a message, and states to its writer why. Undefined: it was removed before. Refuses second_person. */
export async function removeStated(
  tx: Tx,
  staff: Staff,
  message: MessageRow,
  { reason, comment }: Grounds,
): Promise<{ readonly statement_id: number } | undefined> {
  const { id: message_id, sender_id: user_id } = message
  const text = await removeMessage(tx, message)
  if (text === undefined) return undefined
  await checkBulk(tx, staff, 'removal')
  const removed = { user_id, kind: 'text', reason, comment, by: staff.email } as const
  const statement_id = await announceStatement(tx, removed)
  await insertRemoval(tx, { statement_id, user_id, message_id, text })
  const facts = { statement_id, message_id }
  await writeAudit(tx, { staff, act: 'message_remove', user_id, reason, facts, words: comment })
  return { statement_id }
}
