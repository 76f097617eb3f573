import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { VerifyState } from '../kernel/entities.ts'
import {
  Country,
  nothing,
  QueryFlag,
  Time,
  Token,
  Url,
  UserId,
  Uuid,
} from '../kernel/primitives.ts'
import { endpoints as deskEndpoints } from './verification-desk.ts'

/** The gesture or text to show on the selfie, so that an old picture is not accepted. */
export const Challenge = z.object({ id: Uuid, says: z.string() })
export type Challenge = z.output<typeof Challenge>

export const Verification = z.object({
  state: VerifyState,
  reason: z.string().optional(),
  /** Declined, and staff asked for better documents. */
  asked_again: z.boolean().optional(),
  /** The words of staff to the reason. */
  comment: z.string().optional(),
  provider: z.enum(['staff', 'sumsub']),
  challenge: Challenge.optional(),
  expires_at: Time.optional(),
})
export type Verification = z.output<typeof Verification>

export const DocumentType = z.enum(['passport', 'id_card', 'driving_licence', 'residence_permit'])
export type DocumentType = z.output<typeof DocumentType>

export const DocumentSide = z.enum(['front', 'back', 'selfie'])
export type DocumentSide = z.output<typeof DocumentSide>

/** `documents`: the built-in check of identity is the proof. */
export const AgeProofState = z.object({
  state: z.enum(['not_needed', 'needed', 'pending', 'failed']),
  provider: z.string(),
})
export type AgeProofState = z.output<typeof AgeProofState>

export const actions = {}

export const events = {}

export const endpoints = {
  ...deskEndpoints,
  'GET kyc': endpoint('GET', 'kyc', {
    summary:
      'The state of the own identity check, with a fresh challenge where documents may be sent.',
    who: 'member',
    banned: true,
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
  'POST ss/kyc/notify': endpoint('POST', 'ss/kyc/notify', {
    summary: 'A notice of the provider, signed over its bytes; taken once, in any order.',
    who: 'any',
    credential: 'provider',
    banned: true,
    takes: 'raw',
    gives: 'raw',
    data: nothing,
    refuses: ['method_unavailable'],
  }),
  'GET age/proof': endpoint('GET', 'age/proof', {
    summary: 'Whether the own country asks for a proof of age, and how far it is.',
    who: 'member',
    rate: '60/hour',
    data: AgeProofState,
    refuses: ['method_unavailable'],
  }),
  'POST age/proof': endpoint('POST', 'age/proof', {
    summary:
      'Starts a proof of age: the address to go to, the provider’s or a page of this origin.',
    who: 'member',
    rate: '20/hour',
    data: z.object({ url: Url }),
    refuses: ['method_unavailable'],
  }),
  'POST upload_passport/picture': endpoint('POST', 'upload_passport/picture', {
    summary:
      'Stores one picture, encrypted, for a later POST upload_passport, so that a slow network repeats one picture. It replaces an unused picture of its side that is older than ten minutes, and is deleted after a day without use. Without `document_id`, nothing is waited for.',
    who: 'member',
    rate: '60/day',
    takes: 'multipart',
    upload: 'documents',
    files: ['picture'],
    body: z.object({ side: DocumentSide }),
    data: z.object({ state: VerifyState, document_id: Uuid.optional() }),
    refuses: ['birthday_invalid', 'image_removed', 'method_unavailable', 'too_large', 'wrong_type'],
  }),
  'POST upload_passport': endpoint('POST', 'upload_passport', {
    summary:
      'Sends document and selfie to be checked: stored encrypted, never served outside the back office. A side is a file of this form or the id of a stored picture; of an id that is unknown or used, the refusal names the picture.',
    who: 'member',
    rate: '10/day',
    takes: 'multipart',
    upload: 'documents',
    files: ['front', 'back', 'selfie'],
    body: z.object({
      type: DocumentType,
      country: Country,
      challenge_id: Uuid,
      consent: QueryFlag.pipe(z.literal(true)),
      front_id: Uuid.optional(),
      back_id: Uuid.optional(),
      selfie_id: Uuid.optional(),
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
