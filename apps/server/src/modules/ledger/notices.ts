import type { z } from 'zod'
import type { BalanceReason } from '@duet/protocol/contracts/ledger.ts'
import type { App, AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db, Tx } from '../../core/tx.ts'
import type { Member } from '../../core/viewer.ts'
import { inKeys, batchedRead } from '../../platform/database/batched-read.ts'
import { shownBalances } from './balances.ts'

export type NoticeReason = z.output<typeof BalanceReason>

/** More than this many unread notices say nothing that the newest do not say. */
const notices_repeated_max = 20

/** Tells somebody that his balance was changed by another's act, and why: until he has confirmed it. */
export async function noticeBalance(tx: Tx, user_id: UserId, reason: NoticeReason): Promise<void> {
  const { id } = await tx
    .insertInto('balance_notices')
    .values({ user_id, reason, told_at: tx.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { balance, balance_messages } = await shownBalances(tx.app, tx, user_id)
  await tx.notify(user_id, 'new_balance_info', { id, balance, balance_messages, reason })
  await tx.notify(user_id, 'balance', { balance, balance_messages })
}

/** The balance in a notice is the one of the moment in which it is read. */
export async function renderNotice<Notice extends { id: number }>(
  db: Db,
  viewer_id: UserId,
  notice: Notice,
  app: AppContext,
): Promise<Notice> {
  const { balance, balance_messages } = await shownBalances(app, db, viewer_id)
  return { ...notice, balance, balance_messages }
}

/** Confirms a notice; a foreign or unknown one changes nothing. */
export async function gotNotice(
  app: App,
  viewer: Pick<Member, 'id'>,
  { id }: { id: number },
): Promise<Record<string, never>> {
  await app.db
    .updateTable('balance_notices')
    .set({ got_at: app.clock.now() })
    .where('id', '=', id)
    .where('user_id', '=', viewer.id)
    .where('got_at', 'is', null)
    .execute()
  return {}
}

const hasNotices = batchedRead<UserId, true>(async (db, ids) => {
  const rows = await db
    .selectFrom('balance_notices')
    .select('user_id')
    .distinct()
    .where('user_id', '=', inKeys(ids))
    .where('got_at', 'is', null)
    .execute()
  return new Map(rows.map(({ user_id }) => [user_id, true]))
})

/** Sends what was not confirmed again. */
export async function repeatNotices(app: App, user_id: UserId): Promise<void> {
  if (!(await hasNotices(app.db, user_id))) return
  const waiting = await app.db
    .selectFrom('balance_notices')
    .select(['id', 'reason'])
    .where('user_id', '=', user_id)
    .where('got_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(notices_repeated_max)
    .execute()
  const { balance, balance_messages } = await shownBalances(app, app.db, user_id)
  for (const { id, reason } of waiting.reverse()) {
    app.emit(user_id, 'new_balance_info', {
      id,
      balance,
      balance_messages,
      reason: reason as NoticeReason,
    })
  }
}
