import type { Answer, Body } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Staff } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { changeUser, lockUser, notifyUserInfo } from '../../identity/index.ts'
import { requireOtherPerson } from '../../staff/index.ts'
import { announceStatement } from '../sanctions/announce-statement.ts'
import { insertRemoval, type RemovalRow } from './removal-store.ts'

type Field = Body<'POST v2/manager/text/remove'>['field']

/** A member always has a nickname. */
function emptyText(field: Field, user_id: UserId): string {
  return field === 'nick' ? `User ${user_id}` : ''
}

/** POST v2/manager/text/remove. Refuses not_found where there is no text, role_forbidden, bulk_stopped. */
export async function removeText(
  app: App,
  staff: Staff,
  { user_id, field, reason, comment }: Body<'POST v2/manager/text/remove'>,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/text/remove'>> {
  return app.transact(async (tx) => {
    await requireOtherPerson(tx, staff, [user_id])
    const user = await lockUser(tx, user_id)
    const text = user?.role && !user.erased_at ? user[field] : null
    if (!text || text === emptyText(field, user_id)) refuse('not_found')
    await checkBulk(tx, staff, 'removal')
    const removed = { user_id, kind: 'text', reason, comment, by: staff.email } as const
    const statement_id = await announceStatement(tx, removed)
    await insertRemoval(tx, { statement_id, user_id, field, text })
    await storeText(tx, user_id, field, emptyText(field, user_id))
    const facts = { statement_id, field }
    await writeAudit(tx, { staff, act: 'text_remove', user_id, reason, facts, words: comment })
    const answer = { statement_id }
    return context.storeAnswer ? context.storeAnswer(tx, answer) : answer
  })
}

async function storeText(tx: Tx, user_id: UserId, field: Field, text: string): Promise<void> {
  await changeUser(tx, user_id, { [field]: text })
  await tx.publish('member_updated', { user_id })
  await notifyUserInfo(tx, user_id)
}

/** Brings a removed text back, unless its user has written another one since. */
export async function restoreText(tx: Tx, { user_id, field, text }: RemovalRow): Promise<boolean> {
  const user = await lockUser(tx, user_id)
  const name = field as Field
  if (!user?.role || user.erased_at || user[name] !== emptyText(name, user_id)) return false
  await storeText(tx, user_id, name, text!)
  return true
}
