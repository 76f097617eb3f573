import type { EndpointsOf } from '../../core/module.ts'
import { ageProof, startAgeProof } from './age/age-proof.ts'
import { getVerification } from './get-verification.ts'
import { receiveNotice } from './sumsub/receive-notice.ts'
import { providerToken } from './sumsub/token.ts'
import { uploadPassport } from './upload-passport.ts'

export const endpoints = {
  'GET kyc': getVerification,
  'POST upload_passport': uploadPassport,
  'GET ss/kyc/token': providerToken,
  'POST ss/kyc/notify': receiveNotice,
  'GET age/proof': ageProof,
  'POST age/proof': startAgeProof,
} satisfies EndpointsOf<'verification'>
