/**
 * Wallet: the one double-entry ledger through which all money moves.
 *
 * Owns     accounts, transfers, holds, hold_steps, balance_notices
 * Ignores  prices, why something costs, who may buy: callers say what moves and why
 * Laws     every asset sums to zero (W1) · a user never owes, and what is held is covered (W2) · linked transfers happen
 *          together or not at all (W3) · a key moves once, and with other parameters is refused (W4) · a hold is posted
 *          or voided once, within what it holds (W5) · balances are what the transfers say (W6) · rows stay (W7)
 */
import { module } from '../../core/module.ts'
import { shownBalances } from './balances.ts'
import { commands } from './commands.ts'
import { endpoints } from './http.ts'
import { jobs } from './jobs.ts'
import { renderNotice, repeatNotices } from './notices.ts'
import { actions } from './socket.ts'

export const ledger = module('ledger', {
  actions,
  endpoints,
  commands,
  jobs,
  renderChange: { new_balance_info: renderNotice },
  ownFields: async (db, user_id, app) => {
    const { balance, balance_units, balance_messages } = await shownBalances(app, db, user_id)
    return { balance, balance_units: balance_units.toString(), balance_messages }
  },
  start: async (app) =>
    app.realtime.onConnectionChange(({ user_id, socket: what, state }) => {
      if (what !== 'main' || state !== 'up') return
      repeatNotices(app, user_id).catch((error: unknown) =>
        app.log.warn({ error, user_id }, 'balance notices could not be repeated'),
      )
    }),
})

export type { Account, House } from './account.ts'
export { affordable, type Balances, balances, countUnposted, shownBalances } from './balances.ts'
export { type Difference, type LedgerCheck, ledgerCheck, rebuildBalances } from './check.ts'
export { type Grant, grant } from './grant.ts'
export { type LinkedPosting, openHold, postHold, voidHold } from './holds.ts'
export { type Held, missingOnWire, type Outcome } from './ledger.ts'
export { spend } from './spend.ts'
export type { Cause, HoldOpening, Movement } from './steps.ts'
export { transfer } from './transfer.ts'
