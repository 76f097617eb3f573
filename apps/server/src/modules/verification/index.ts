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
import { type EndpointsOf, module } from '../../core/module.ts'
import { ageGate, ageProof, startAgeProof } from './age/age-proof.ts'
import { checkProcess } from './check/check-process.ts'
import { commands } from './commands.ts'
import { DELETE_FILES, deleteFile } from './documents/store-documents.ts'
import { getVerification } from './get-verification.ts'
import { receiveNotice, PROVIDER_NOTICE } from './sumsub/receive-notice.ts'
import { providerToken } from './sumsub/token.ts'
import { uploadPassport } from './upload-passport.ts'
import { endUserChecks, eraseDocuments, personalData } from './personal-data.ts'
import { ownFields } from './queries.ts'
import { applyNotice } from './sumsub/apply-notice.ts'
import { retention } from './retention.ts'

export const verification = module('verification', {
  endpoints: {
    'GET kyc': getVerification,
    'POST upload_passport': uploadPassport,
    'GET ss/kyc/token': providerToken,
    'POST ss/kyc/notify': receiveNotice,
    'GET age/proof': ageProof,
    'POST age/proof': startAgeProof,
  } satisfies EndpointsOf<'verification'>,
  commands,
  ownFields,
  systemFields: async (app, viewer, place) => ({ age_gate: ageGate(app, viewer, place) }),
  personalData: { tables: personalData, erase: eraseDocuments },
  subscribers: { account_deleted: endUserChecks },
  retention,
  outboxHandlers: { [DELETE_FILES]: deleteFile, [PROVIDER_NOTICE]: applyNotice },
  async start(app) {
    await checkProcess(app).start()
    return () => checkProcess(app).stop()
  },
})
export { assertAgeProven, needsAgeProof } from './age/age-proof.ts'
