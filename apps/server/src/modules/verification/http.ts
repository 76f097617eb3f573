import type { EndpointsOf } from '../../core/module.ts'
import { getVerification } from './get-verification.ts'
import { uploadPassport } from './upload-passport.ts'

export const endpoints = {
  'GET kyc': getVerification,
  'POST upload_passport': uploadPassport,
} satisfies Partial<EndpointsOf<'verification'>>
