import type { Answer, Body, Query } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { Staff } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { lockUser } from '../../identity/index.ts'
import { applyReview } from '../../media/index.ts'
import { restoreMessage } from '../../messenger/index.ts'
import { addNotice } from '../../notices/index.ts'
import { requireOtherPerson } from '../../staff/index.ts'
import { lockWaitingAppeals, statementById } from '../appeals/appeal-store.ts'
import { pictureReports } from '../complaints/picture-reports.ts'
import { returnEarned, returnPenalty } from '../penalties/impose-penalty.ts'
import { lockPenalties } from '../penalties/penalty-store.ts'
import { endRemoval, removalsByIds } from '../removals/removal-store.ts'
import { permitGifts } from '../removals/forbid-gifts.ts'
import { restoreText } from '../removals/remove-text.ts'
import { liftSanction } from './impose-sanction.ts'
import { markTakenBack, type StatementRow } from './sanction-store.ts'
import { readStanding } from './standing-bans.ts'

interface Lift {
  readonly by: string
  readonly comment: string
}

/**
 * Takes the act of a statement back: money, status, picture and text are as before. Returns whether a removed thing is
 * there again; null for all other acts. Repeating it changes nothing.
 */
export async function takeBack(
  tx: Tx,
  statement: Pick<StatementRow, 'statement_id' | 'user_id' | 'kind' | 'at'>,
  lift: Lift,
): Promise<boolean | null> {
  const { statement_id, user_id, kind, at } = statement
  if (kind === 'photo' || kind === 'text') return restore(tx, statement_id, lift.by)
  if (kind === 'ban' || kind === 'suspension') await liftSanction(tx, statement_id, lift)
  if (kind === 'gifts') await permitGifts(tx, user_id)
  if (kind === 'absence') await tx.publish('absence_reversed', { user_id, at })
  if (kind === 'penalty') {
    const penalties = await lockPenalties(tx, user_id)
    const penalty = penalties.find((one) => one.statement_id === statement_id)
    if (penalty) await returnPenalty(tx, penalty)
  }
  await markTakenBack(tx, statement_id, lift.by)
  // The other penalty may be her only one now.
  if (kind === 'penalty') await returnEarned(tx, user_id)
  return null
}

/** The picture, if its file is still kept, the message, or the text. */
async function restore(tx: Tx, statement_id: number, by: string): Promise<boolean> {
  const [removal] = await removalsByIds(tx, [statement_id])
  if (!removal) return false
  if (removal.restored !== null) return removal.restored
  const { media_id, message_id, text } = removal
  const isBack = media_id
    ? (await applyReview(tx, { id: media_id, status: 'ready', reason: null, by })) !== undefined
    : message_id === null
      ? await restoreText(tx, removal)
      : await restoreMessage(tx, message_id, text!)
  if (media_id && isBack) await pictureReports.get(tx.app)?.letStay(tx, media_id)
  await endRemoval(tx, statement_id, isBack)
  await markTakenBack(tx, statement_id, by)
  return isBack
}

/** POST v2/manager/statements/{id}/undo. Refuses not_found, role_forbidden, bulk_stopped. */
export async function undoByStaff(
  app: App,
  staff: Staff,
  {
    id,
    reason,
  }: Query<'POST v2/manager/statements/{id}/undo'> & Body<'POST v2/manager/statements/{id}/undo'>,
): Promise<Answer<'POST v2/manager/statements/{id}/undo'>> {
  return app.transact(async (tx) => {
    const statement = await statementById(tx, id)
    // A suspension ends by the decision about its complaint.
    if (!statement || statement.kind === 'suspension') refuse('not_found')
    const { user_id, kind } = statement
    await lockWaitingAppeals(tx, user_id)
    await lockUser(tx, user_id)
    // Of two at once the second sees the first: the act has one entry in the audit log.
    const { taken_back_at } = (await statementById(tx, id))!
    await requireOtherPerson(tx, staff, [user_id])
    if (taken_back_at === null) await checkBulk(tx, staff, 'lift')
    const restored = await takeBack(tx, statement, { by: staff.email, comment: reason })
    const answer = { restored, ...(await readStanding(tx, statement)) }
    if (taken_back_at !== null) return answer
    const facts = { statement_id: id, kind, ...(restored !== null && { restored }) }
    await writeAudit(tx, { staff, act: 'statement_undo', user_id, reason, facts })
    // The end of a ban and the return of coins have notices of their own.
    if (kind !== 'ban' && kind !== 'penalty')
      await addNotice(tx, {
        user_id,
        kind: 'statement',
        facts: { what: restored === false ? 'not_restored' : 'taken_back', statement_id: id },
        key: `statement:${id}:taken_back`,
      })
    return answer
  })
}
