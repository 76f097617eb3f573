/**
 * Ledger: the double-entry ledger through which all money moves.
 *
 * Tables         accounts, transfers, transfer_keys, holds, hold_steps, hold_step_keys, ledger_mark, verified_balances, balance_notices
 * Does not know  prices, why something costs, who may buy: callers pass what moves and why
 * Invariants     every asset sums to zero (W1) · a user's balance is never negative and covers what is held (W2) · linked
 *                transfers happen together or not at all (W3) · a key moves money once, and is refused with other
 *                parameters (W4) · a hold is posted or voided once, within its amount (W5) · balances equal the sums of
 *                their transfers (W6) · transfers are never changed or deleted (W7)
 */
import type { App } from '../../core/app.ts'
import { type ActionsOf, module } from '../../core/module.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { toWire } from '../../lib/money.ts'
import { setting } from '../settings/index.ts'
import { shownBalances } from './balances.ts'
import { verifiedPart, verifyLedger } from './check.ts'
import { commands } from './commands.ts'
import { grantDemoMinutes } from './demo-minutes.ts'
import { getBalance } from './get-balance.ts'
import { exportMoney, personalData } from './personal-data.ts'
import { renderNotices, repeatNotices } from './notices.ts'
import { owed } from './queries.ts'
import { confirmNotice } from './confirm-notice.ts'

export const ledger = module('ledger', {
  actions: { NEW_BALANCE_INFO_GOT: confirmNotice } satisfies ActionsOf<'ledger'>,
  endpoints: { 'POST balance': getBalance, 'POST demo/minutes': grantDemoMinutes },
  commands,
  jobs: {
    'ledger check': {
      summary: 'Checks every night that balances equal the sums of their transfers.',
      cron: '30 4 * * *',
      run: checkLedger,
    },
  },
  retention: [
    deleteRows('balance_notices', 'told_at', (context) => setting(context, 'balance_notice_days')),
  ],
  personalData: { tables: personalData, exportData: exportMoney },
  diagnosis: async (app) => ({ verified: await verifiedPart(app.db) }),
  renderChanges: { new_balance_info: renderNotices },
  ownFields: async (db, user_id, app) => {
    const { balance, balance_units, balance_messages } = await shownBalances(app, db, user_id)
    const { diamond, message } = await owed(db, user_id)
    return {
      balance,
      balance_units: balance_units.toString(),
      balance_messages,
      ...((diamond > 0n || message > 0n) && {
        debt: { diamonds: toWire('diamond', diamond), messages: Number(message) },
      }),
    }
  },
  start: async (app) =>
    app.realtime.local.onConnectionChange(({ user_id, socket, state }) => {
      if (socket !== 'main' || state !== 'up') return
      app.background('repeating balance notices', repeatNotices(app, user_id), { user_id })
    }),
})

async function checkLedger(app: App): Promise<void> {
  const { ok, checked, verified, differences } = await verifyLedger(app)
  if (ok) app.log.info({ checked, verified }, 'the ledger is consistent')
  else app.log.error({ checked, verified, differences }, 'the ledger is not consistent')
}

export type { Account, HouseAccount } from './account.ts'
export { type Balances, balances, shownBalances } from './balances.ts'
export {
  type Difference,
  type LedgerCheck,
  ledgerCheck,
  rebuildBalances,
  verifyLedger,
} from './check.ts'
export { type Grant, grant } from './grant.ts'
export { type LinkedPosting, openHold, postHold, postHolds } from './holds.ts'
export {
  type MovementFilter,
  type MovementPlace,
  type MovementRow,
  movementsOfUser,
} from './movements.ts'
export { notifyBalance, notifyShownBalance } from './notices.ts'
export { type HoldResult, type LedgerOutcome, missingOnWire } from './outcomes.ts'
export { affordable, affordableColumn, lockAffordable, owed, readAffordable } from './queries.ts'
export type { Cause, HoldOpening, Movement } from './steps.ts'
export { payDebt, takeBack } from './take-back.ts'
export { transfer, transferEach } from './transfer.ts'
export { usageSource } from './usage.ts'
