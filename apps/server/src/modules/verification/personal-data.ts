import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { personalTable, type PersonalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteFilesLater } from './documents/store-documents.ts'
import { deleteDocumentsOf } from './store.ts'

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
  personalTable('identity_document_views', {
    users: ['user_id'],
    erasure: 'kept',
    why: PROOF,
    exported: { of: ['user_id'], by: 'view_id', columns: ['at'] },
  }),
]

/** The rows have the keys of the files, which follow after the commit. */
export async function eraseDocuments(tx: Tx, user_id: UserId): Promise<void> {
  await deleteFilesLater(tx, await deleteDocumentsOf(tx, user_id))
}
