/**
 * Privacy: the copy of a user's own data, and the end of an account.
 *
 * Tables         account_deletions, evidence_holds
 * Does not know  what the other modules hold of a user: each names it in `personalData`, and erases and exports it
 * Invariants     a deletion is taken back by logging in, and by nothing else (PV1) · after the erasure no table or file has
 *                anything that the user entered, and the sums of the ledger are the same (PV2) · a hold keeps what is not
 *                erased yet (PV3) · a closed account has no valid token (PV4)
 */
import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { signalRetention } from '../client-signals/index.ts'
import { setting } from '../settings/index.ts'
import { deletionProcess } from './deletion/deletion-process.ts'
import { findOpenDeletion } from './deletion/queries.ts'
import { requestDeletion } from './deletion/request-deletion.ts'
import { exportAccount } from './export/export-account.ts'
import { confirmExport } from './export/export-key.ts'
import { commands } from './holds/commands.ts'
import { isHeld } from './holds/queries.ts'

export const privacy = module('privacy', {
  endpoints: {
    'POST delete_account': requestDeletion,
    'POST account/export': confirmExport,
    'GET account/export': exportAccount,
  },
  commands,
  subscribers: { deletion_withdrawn: cancelDeletion },
  personalData: {
    tables: [
      personalTable('account_deletions', {
        users: ['user_id'],
        erasure: 'kept',
        why: 'proof that the erasure was asked for and done, until its retention ends it; ids and times',
        exported: {
          of: ['user_id'],
          by: 'deletion_id',
          columns: ['state', 'asked_at', 'erase_at'],
        },
      }),
      personalTable('evidence_holds', {
        users: ['user_id'],
        erasure: 'kept',
        why: 'what was held and until when; the reason names a case and no person',
        exported: { not: 'a hold protects evidence, also from the user it is about' },
      }),
    ],
  },
  retention: [
    signalRetention(isHeld('client_signals.user_id')),
    deleteRows('account_deletions', 'closed_at', (app) => setting(app, 'deletion_record_days')),
    deleteRows('evidence_holds', 'lifted_at', (app) => setting(app, 'deletion_record_days')),
  ],
  async start(app) {
    await deletionProcess(app).start()
    return () => deletionProcess(app).stop()
  },
})

/**
 * The login of identity has taken the wish back already. If another server process owns the deletion, it finds that when its
 * time comes.
 */
async function cancelDeletion(
  tx: Tx,
  { user_id }: DomainEvents['deletion_withdrawn'],
): Promise<void> {
  const open = await findOpenDeletion(tx, user_id)
  if (open) await deletionProcess(tx.app).applyIn(tx, open.deletion_id, { type: 'logged_in' })
}

export { liftHold, placeHold } from './holds/hold-store.ts'
export { isHeld, isHeldSince } from './holds/queries.ts'
