import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { VerifyState } from '../kernel/entities.ts'
import { Country, QueryFlag, Time, Token, Url, UserId, Uuid } from '../kernel/primitives.ts'

/** The gesture or text to show on the selfie, so that an old picture is not accepted. */
export const Challenge = z.object({ id: Uuid, says: z.string() })
export type Challenge = z.output<typeof Challenge>

export const Verification = z.object({
  state: VerifyState,
  reason: z.string().optional(),
  provider: z.enum(['staff', 'sumsub']),
  challenge: Challenge.optional(),
  expires_at: Time.optional(),
})
export type Verification = z.output<typeof Verification>

export const DocumentType = z.enum(['passport', 'id_card', 'driving_licence', 'residence_permit'])
export type DocumentType = z.output<typeof DocumentType>

export const actions = {}

export const events = {}

export const endpoints = {
  'GET kyc': endpoint('GET', 'kyc', {
    summary:
      'The state of the own identity check, with a fresh challenge where documents may be sent.',
    who: 'member',
    data: Verification,
    refuses: [],
  }),
  'GET ss/kyc/token': endpoint('GET', 'ss/kyc/token', {
    summary: 'A token for the provider’s own check; 405 where none is configured.',
    who: 'member',
    rate: '20/hour',
    data: z.object({ token: Token, user_id: UserId, url: Url.optional() }),
    refuses: ['method_unavailable'],
  }),
  'POST upload_passport': endpoint('POST', 'upload_passport', {
    summary:
      'Sends document and selfie to be checked: stored encrypted, never served outside the back office.',
    who: 'member',
    rate: '10/day',
    takes: 'multipart',
    files: ['front', 'back', 'selfie'],
    body: z.object({
      type: DocumentType,
      country: Country,
      challenge_id: Uuid,
      consent: QueryFlag.pipe(z.literal(true)),
    }),
    data: z.object({ state: VerifyState }),
    refuses: [
      'not_found',
      'birthday_invalid',
      'image_removed',
      'method_unavailable',
      'too_large',
      'wrong_type',
    ],
  }),
}
