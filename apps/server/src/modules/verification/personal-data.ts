import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { impersonalTable, personalTable } from '../../platform/personal-data/personal-data.ts'
import type { PersonalTable } from '../../core/personal-data.ts'
import { applyToCheck } from './check/check-process.ts'
import { deleteFilesLater } from './documents/store-documents.ts'
import { readOpenChecks } from './queries.ts'
import { deleteUserDocuments } from './store.ts'

const PROOF = 'proof that and how the identity was checked, until its retention ends it'

export const personalData: readonly PersonalTable[] = [
  personalTable('identity_challenges', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { not: 'a gesture that is asked for, for minutes' },
  }),
  personalTable('identity_documents', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'document_id', columns: ['side', 'created_at', 'decided_at'] },
  }),
  personalTable('identity_checks', {
    users: ['user_id'],
    erasure: 'kept',
    why: PROOF,
    exported: {
      of: ['user_id'],
      by: 'check_id',
      columns: [
        'provider',
        'state',
        'reason',
        'asked_again',
        'comment',
        'document_type',
        'document_country',
        'consent_version',
        'consent_at',
        'opened_at',
        'decided_at',
        'expires_at',
      ],
    },
  }),
  personalTable('kyc_applicants', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { of: ['user_id'], by: 'applicant_id', columns: ['answer', 'notice_at'] },
  }),
  impersonalTable('kyc_notices', 'notices of the provider by its own numbers, without a user'),
  personalTable('age_proofs', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: {
      of: ['user_id'],
      by: 'proof_id',
      columns: ['provider', 'country', 'state', 'method', 'started_at', 'decided_at', 'expires_at'],
    },
  }),
  personalTable('identity_document_views', {
    users: ['user_id'],
    erasure: 'kept',
    why: PROOF,
    exported: { of: ['user_id'], by: 'view_id', columns: ['at'] },
  }),
]

/** Ends the checks of an erased user: staff do not see them any more, and no time runs for them. */
export async function endUserChecks(tx: Tx, { user_id }: { user_id: UserId }): Promise<void> {
  for (const { check_id, state } of await readOpenChecks(tx, user_id))
    await applyToCheck(tx, check_id, {
      type: state === 'checking' ? 'declined' : 'revoked',
      by: 'erasure',
      reason: 'erased',
    })
}

/** The rows have the keys of the files, which follow after the commit. */
export async function eraseDocuments(tx: Tx, user_id: UserId): Promise<void> {
  await deleteFilesLater(tx, await deleteUserDocuments(tx, user_id))
}
