/**
 * Verification: proves who a user is and how old. A girl needs it to be met; a guy may have it.
 *
 * Tables         identity_checks, identity_documents (the encrypted files are in the storage integration),
 *                identity_document_views, identity_challenges
 * Does not know  what a verified user may do; who decides is the operator or the provider
 * Invariants     a user has one waiting check and one valid verification (VE1) · a document is readable only with a key
 *                that is neither in the database nor in the file store, and never by HTTP (VE2) · every look at a document
 *                is recorded before it (VE3) · a verification ends when its document expires (VE4)
 */
import type { Tx } from '../../core/app.ts'
import { type EndpointsOf, module } from '../../core/module.ts'
import type { RetentionRule } from '../../core/retention-rule.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { isAgeProven, isIdentityChecked } from '../profile/index.ts'
import { setting } from '../settings/index.ts'
import { ageGate, ageProof, startAgeProof } from './age/age-proof.ts'
import { hasValidProof } from './age/queries.ts'
import { checkProcess } from './check/check-process.ts'
import { commands } from './commands.ts'
import { DELETE_FILES, deleteFile, deleteFilesLater } from './documents/store-documents.ts'
import { checkCase, checkQueue, countChecking, decideOnCheck, documentPicture } from './desk.ts'
import { getVerification } from './get-verification.ts'
import { receiveNotice, PROVIDER_NOTICE } from './sumsub/receive-notice.ts'
import { providerToken } from './sumsub/token.ts'
import { uploadPassport } from './upload-passport.ts'
import { uploadPicture } from './upload-picture.ts'
import { endUserChecks, eraseDocuments, personalData } from './personal-data.ts'
import { checkedUsers, ownFields, readOpenChecks } from './queries.ts'
import {
  deleteClosedChecks,
  type StoredDocument,
  deleteDecidedDocuments,
  deleteUnusedDocuments,
} from './store.ts'
import { applyNotice } from './sumsub/apply-notice.ts'

export const verification = module('verification', {
  endpoints: {
    'GET kyc': getVerification,
    'GET v2/manager/verifications': checkQueue,
    'GET v2/manager/verifications/{id}': checkCase,
    'GET v2/manager/verifications/{id}/documents/{side}': documentPicture,
    'POST v2/manager/verifications/{id}/decide': decideOnCheck,
    'POST upload_passport': uploadPassport,
    'POST upload_passport/picture': uploadPicture,
    'GET ss/kyc/token': providerToken,
    'POST ss/kyc/notify': receiveNotice,
    'GET age/proof': ageProof,
    'POST age/proof': startAgeProof,
  } satisfies EndpointsOf<'verification'>,
  waitingCases: countChecking,
  caseUsers: async (db, { queue, id }) =>
    queue === 'verifications' ? checkedUsers(db, id) : undefined,
  commands,
  ownFields,
  provides: [
    isAgeProven.provide(hasValidProof),
    isIdentityChecked.provide(async (db, id) => (await readOpenChecks(db, id)).length > 0),
  ],
  systemFields: async (app, viewer, place) => ({ age_gate: ageGate(app, viewer, place) }),
  personalData: { tables: personalData, erase: eraseDocuments },
  subscribers: { account_deleted: endUserChecks },
  retention: [
    {
      name: 'identity_documents: decided',
      keepDays: (context) => setting(context, 'kyc_document_days'),
      purge: deleting(deleteDecidedDocuments),
    },
    {
      name: 'identity_documents: unused',
      keepDays: () => 1,
      purge: deleting(deleteUnusedDocuments),
    },
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
  ],
  outboxHandlers: { [DELETE_FILES]: deleteFile, [PROVIDER_NOTICE]: applyNotice },
  async start(app) {
    await checkProcess(app).start()
    return () => checkProcess(app).stop()
  },
})

/** The rows have the keys; their files follow after the commit. */
function deleting(
  rows: (tx: Tx, before: Temporal.Instant, limit: number) => Promise<StoredDocument[]>,
): RetentionRule['purge'] {
  return async (tx, before, limit) => {
    const deleted = await rows(tx, before, limit)
    await deleteFilesLater(tx, deleted)
    return deleted.length
  }
}

export { openFolder, writeNewFile } from './documents/write-documents.ts'
export { assertAgeProven, needsAgeProof } from './age/age-proof.ts'
