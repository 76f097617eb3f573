import type { App } from '../../core/app.ts'
import { becomeKnown, type LiveCall } from './live.ts'
import { callById, type StoredCall } from './store.ts'
import { stateClosed } from './tell.ts'

/**
 * The database went away while it committed, so nobody knows whether it did. The row tells: where it is ahead, it is what
 * is known from now on, at the price of what reports said since. Else the ledger would be asked for steps that it has made.
 */
export async function settleDoubt(app: App, live: LiveCall): Promise<void> {
  const stored = await callById(app.db, live.call.session_id)
  if (stored && isAhead(stored, live)) {
    if (stored.call.status === 'closed') await app.transact((tx) => stateClosed(tx, stored.call))
    becomeKnown(app, live, stored)
  }
  live.in_doubt = false
}

const decided = ['status', 'state', 'session_guid', 'quota_taken', 'flagged', 'break_set'] as const

function isAhead({ call, money }: StoredCall, live: LiveCall): boolean {
  return (
    money.money_step !== live.money.money_step ||
    decided.some((field) => call[field] !== live.call[field])
  )
}
