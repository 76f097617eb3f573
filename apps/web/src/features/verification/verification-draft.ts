import { t } from '../../shared/i18n.ts'
import type { DocumentType } from '@duet/protocol/contracts/verification.ts'

export type PictureName = 'front' | 'back' | 'selfie'
export type DocumentKind = DocumentType

/** The choices of the user so far. They stay through every error. */
export interface VerificationDraft {
  readonly type: DocumentKind | null
  readonly country: string | null
  readonly front: Blob | null
  readonly back: Blob | null
  readonly selfie: Blob | null
  /** The challenge whose gesture the selfie shows. */
  readonly challenge_id: string | null
  readonly consent: boolean
}

export const EMPTY_DRAFT: VerificationDraft = {
  type: null,
  country: null,
  front: null,
  back: null,
  selfie: null,
  challenge_id: null,
  consent: false,
}

export const DOCUMENT_KINDS = [
  'passport',
  'id_card',
  'driving_licence',
  'residence_permit',
] as const satisfies readonly DocumentKind[]

export const STEPS = ['document', 'selfie', 'check'] as const
export type Step = (typeof STEPS)[number]

/** Every step shows the draft and its errors, and changes the draft. */
export interface StepProps {
  readonly draft: VerificationDraft
  readonly change: (change: Partial<VerificationDraft>) => void
  readonly errors: Partial<Record<PictureName, string>>
}

/** A card has a second side. The page of a passport has only one side. */
export function hasBack({ type }: Pick<VerificationDraft, 'type'>): boolean {
  return type !== null && type !== 'passport'
}

/** The name of a picture. The page of a passport is its only side. */
export function getPictureLabel(name: PictureName, draft: Pick<VerificationDraft, 'type'>): string {
  return t(name === 'front' && !hasBack(draft) ? 'verification.photo_page' : `verification.${name}`)
}

/** The missing part before the user can leave a step. Null: the step is complete. */
export function missingIn(
  step: Step,
  draft: VerificationDraft,
): 'document' | 'selfie' | 'consent' | null {
  if (step === 'document') {
    const isReady = draft.type && draft.country && draft.front && (!hasBack(draft) || draft.back)
    return isReady ? null : 'document'
  }
  if (step === 'selfie') return draft.selfie ? null : 'selfie'
  return draft.consent ? null : 'consent'
}

/** The valid part of the draft for this challenge. A selfie with the gesture of an earlier challenge is left out. */
export function draftFor(challenge_id: string, draft: VerificationDraft): VerificationDraft {
  return draft.challenge_id === challenge_id ? draft : { ...draft, selfie: null }
}
