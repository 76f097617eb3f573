import { deleteRows } from '../../platform/retention/retention-rule.ts'
import type { RetentionRule } from '../../core/retention-rule.ts'
import type { Tx } from '../../core/app.ts'
import { setting } from '../settings/index.ts'
import { deleteFilesLater } from './documents/store-documents.ts'
import {
  deleteClosedChecks,
  type DeletedDocument,
  deleteDecidedDocuments,
  deleteUnusedDocuments,
} from './store.ts'

export const retention: readonly RetentionRule[] = [
  {
    name: 'identity_documents: decided',
    keepDays: (context) => setting(context, 'kyc_document_days'),
    purge: deleting(deleteDecidedDocuments),
  },
  { name: 'identity_documents: unused', keepDays: () => 1, purge: deleting(deleteUnusedDocuments) },
  deleteRows('identity_challenges', 'expires_at', () => 0),
  deleteRows('kyc_notices', 'received_at', (context) => setting(context, 'kyc_record_days')),
  deleteRows('age_proofs', 'started_at', (context) => setting(context, 'kyc_record_days')),
  {
    name: 'identity_checks',
    column: 'closed_at',
    keepDays: (context) => setting(context, 'kyc_record_days'),
    purge: deleteClosedChecks,
  },
  deleteRows('identity_document_views', 'at', (context) => setting(context, 'kyc_record_days')),
]

/** The rows have the keys; their files follow after the commit. */
function deleting(
  rows: (tx: Tx, before: Temporal.Instant, limit: number) => Promise<DeletedDocument[]>,
): RetentionRule['purge'] {
  return async (tx, before, limit) => {
    const deleted = await rows(tx, before, limit)
    await deleteFilesLater(tx, deleted)
    return deleted.length
  }
}
