import type { Selectable } from 'kysely'
import type { App, Tx } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Tables } from '../../core/tables.gen.ts'
import { hashToken, newToken } from '../../lib/ids.ts'
import { isPublicAddress } from '../../platform/http/client-address.ts'
import { networkHash } from '../client-signals/index.ts'
import { getLoginDevice } from '../logins/index.ts'
import { setting } from '../settings/index.ts'

/** The writes of sessions of the back office. */

export type MemberRow = Selectable<Tables['staff_members']>

/** Opens a session with fresh proof. Returns its token, and the member with the time of this visit. */
export async function addSession(
  tx: Tx,
  staff_id: number,
  context: RequestContext,
): Promise<{ token: string; member: MemberRow }> {
  const token = newToken()
  await tx
    .insertInto('staff_sessions')
    .values({
      staff_id,
      token_hash: hashToken(token),
      ...getLoginDevice(context),
      // Colleagues behind one proxy, and the tests of a machine, have no network of their own.
      network_hash: isPublicAddress(context.address) ? networkHash(tx.app, context.address) : null,
      created_at: tx.now,
      used_at: tx.now,
      proven_at: tx.now,
      ends_at: tx.now.add({ hours: setting(tx.app, 'staff_session_hours') }),
    })
    .execute()
  const member = await tx
    .updateTable('staff_members')
    .set({ last_visit_at: tx.now })
    .where('id', '=', staff_id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { token, member }
}

export async function recordUse({ db, clock }: App, id: number): Promise<void> {
  await db
    .updateTable('staff_sessions')
    .set({ used_at: clock.now() })
    .where('id', '=', id)
    .execute()
}

export async function recordProof(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('staff_sessions').set({ proven_at: tx.now }).where('id', '=', id).execute()
}

/** Ends open sessions of a member, or the one with this id. Returns how many. */
export async function endSessions(tx: Tx, staff_id: number, onlyId?: number): Promise<number> {
  let update = tx
    .updateTable('staff_sessions')
    .set({ ends_at: tx.now })
    .where('staff_id', '=', staff_id)
    .where('ends_at', '>', tx.now)
  if (onlyId !== undefined) update = update.where('id', '=', onlyId)
  return Number((await update.executeTakeFirst()).numUpdatedRows)
}
