/**
 * Client signals: what a client tells about its device, its network and its passkeys.
 *
 * Tables         client_signals, client_budgets
 * Does not know  how a user gets in: logins records signals and takes from the budgets
 * Invariants     what may link accounts is hashed and bounded (I9)
 */
import type { RawBuilder } from 'kysely'
import type { AppContext } from '../../core/app.ts'
import { type ActionsOf, module } from '../../core/module.ts'
import { impersonalTable, personalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import type { RetentionRule } from '../../core/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { findUserId } from '../identity/index.ts'
import { showLinks } from './links.ts'
import { setFingerprint, setProFingerprint } from './set-fingerprint.ts'

export const clientSignals = module('client-signals', {
  actions: {
    D_INFO: setFingerprint,
    PRO_D_INFO: setProFingerprint,
  } satisfies ActionsOf<'client-signals'>,
  commands: {
    links: {
      args: 'ID|EMAIL',
      summary:
        'Lists accounts that share a browser, a device or a network with a user: by what, and when.',
      run: async (app, given) => showLinks(app.db, await findUserId(app, given.words[0])),
    },
  },
  // Tells browsers the public key of the outside service of fingerprints, where they are to ask it.
  systemFields: async ({ config: { fingerprint_pro: pro } }) => ({
    features: {
      fingerprint:
        pro?.key === undefined ? { on: false } : { on: true, key: pro.key, region: pro.region },
    },
  }),
  personalData: {
    tables: [
      personalTable('client_signals', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { of: ['user_id'], by: 'signal_id', columns: ['signal', 'first_at', 'last_at'] },
      }),
      impersonalTable(
        'client_budgets',
        'counts of the day by network or keyed hash, without a user',
      ),
    ],
  },
  // Budgets are counted by the day: those of earlier days are not read.
  retention: [deleteRows('client_budgets', 'day', () => 0)],
})

/** The rule for the values by which a client was recognised. The module that knows which users are evidence applies it. */
export function signalRetention(isHeld: RawBuilder<boolean>): RetentionRule {
  const keepDays = (context: AppContext) => setting(context, 'client_signal_days')
  return deleteRows('client_signals', 'last_day', keepDays, isHeld)
}

export {
  type CaptchaPassed,
  type EmailTry,
  type RequestClient,
  consumeEmailTry,
  consumeRegistration,
  getDevice,
  isExempt,
  passSpentBudgets,
  returnEmailTry,
} from './client-budgets.ts'
export {
  ACCOUNTS_OF_VALUE_MAX,
  accountsOfDevices,
  belongsToNetwork,
  networkHash,
  sharesDevice,
  sharesNetwork,
  showLinks,
  usersInNetworks,
  usersOnDevices,
} from './links.ts'
export { signalsOfUser } from './signals-of-user.ts'
export { clientOfConnection } from './set-fingerprint.ts'
export { fingerprintHash } from './signal-hash.ts'
export { recordPasskey, recordSignals } from './signals-store.ts'
export { deviceSignals } from './signal-types.ts'
