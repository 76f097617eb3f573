import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import type { Happened } from './call/call-events.ts'
import { happen } from './happen.ts'
import { liveCallOf, sideOf } from './live.ts'

/**
 * What other modules do and a running call must know. It is acted on right after their commit, in a transaction of the
 * call's own and in its turn: what must not be lost meanwhile is held by the partner's grace time.
 */
function tellCall(
  tx: Tx,
  user_id: UserId,
  happened: (side: 'guy' | 'girl') => Happened | undefined,
): void {
  tx.afterCommit(async () => {
    const live = liveCallOf(tx.app, user_id)
    const what = live && happened(sideOf(live.call, user_id)!)
    if (live && what) await happen(tx.app, live, what)
  })
}

export async function leftByLogout(tx: Tx, { user_id }: DomainEvents['logged_out']): Promise<void> {
  tellCall(tx, user_id, (side) => ({ kind: 'left', side }))
}

export async function endedByBan(tx: Tx, { user_id }: DomainEvents['banned']): Promise<void> {
  tellCall(tx, user_id, () => ({ kind: 'staff_ended', reason: 'banned' }))
}

export async function leftByBlock(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  tx.afterCommit(async () => {
    const live = liveCallOf(tx.app, user_id)
    const side = live && sideOf(live.call, user_id)
    if (live && side && sideOf(live.call, blocked_id))
      await happen(tx.app, live, { kind: 'left', side })
  })
}

export async function moneyCame(
  tx: Tx,
  { user_id, asset }: DomainEvents['balance_added'],
): Promise<void> {
  if (asset === 'diamond')
    tellCall(tx, user_id, (side) => (side === 'guy' ? { kind: 'money_came' } : undefined))
}

export async function breakWanted(
  tx: Tx,
  { user_id, on }: DomainEvents['break_requested'],
): Promise<void> {
  tellCall(tx, user_id, (side) => (side === 'girl' ? { kind: 'break_set', on } : undefined))
}
