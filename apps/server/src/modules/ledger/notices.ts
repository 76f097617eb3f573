import type { z } from 'zod'
import type { BalanceReason } from '@duet/protocol/contracts/ledger.ts'
import type { App, AppContext, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import { shownBalances } from './balances.ts'
import { hasUnconfirmedNotices, unconfirmedNotices } from './queries.ts'
import { addNotice } from './store.ts'

export type NoticeReason = z.output<typeof BalanceReason>

/** The newest notices show the current balance. Older notices add nothing. */
const REPEATED_NOTICES_MAX = 20

/** Notifies a user of a balance that was changed by others, and why. The notice is repeated until the user confirms it. */
export async function notifyBalance(tx: Tx, user_id: UserId, reason: NoticeReason): Promise<void> {
  const id = await addNotice(tx, user_id, reason)
  const { balance, balance_messages } = await shownBalances(tx.app, tx, user_id)
  await tx.notify(user_id, 'new_balance_info', { id, balance, balance_messages, reason })
  await notifyShownBalance(tx, user_id)
}

/** Shows a user the balance after a change that another event explains. */
export async function notifyShownBalance(tx: Tx, user_id: UserId): Promise<void> {
  const { balance, balance_messages } = await shownBalances(tx.app, tx, user_id)
  await tx.notify(user_id, 'balance', { balance, balance_messages })
}

/** Renders notices with the balance of the moment in which they are read. */
export async function renderNotices<Notice extends { id: number }>(
  db: Db,
  viewerId: UserId,
  notices: readonly Notice[],
  context: AppContext,
): Promise<Notice[]> {
  const { balance, balance_messages } = await shownBalances(context, db, viewerId)
  return notices.map((notice) => ({ ...notice, balance, balance_messages }))
}

/** Sends the unconfirmed notices again when a user connects. */
export async function repeatNotices(app: App, user_id: UserId): Promise<void> {
  if (!(await hasUnconfirmedNotices(app.db, user_id))) return
  const notices = await unconfirmedNotices(app.db, user_id, REPEATED_NOTICES_MAX)
  const { balance, balance_messages } = await shownBalances(app, app.db, user_id)
  for (const { id, reason } of notices) {
    app.emit(user_id, 'new_balance_info', {
      id,
      balance,
      balance_messages,
      reason: reason as NoticeReason,
    })
  }
}
