import { limits } from '@duet/protocol/kernel/limits.ts'
import { NoAnswerError, RefusedError } from '@duet/client'
import { t, type TextId } from '../../shared/i18n.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { hasBack, type PictureName, type VerificationDraft } from './verification-draft.ts'

/** The answer to an upload, for the steps that show it. Every picture stays. */
export type SendResult =
  | { readonly type: 'sent' }
  /** The gesture was used or has expired. The user takes the selfie again, with another gesture. */
  | { readonly type: 'gesture_over' }
  | { readonly type: 'wrong_picture'; readonly picture: PictureName; readonly text: string }
  /** `needs_birthday`: the profile is to be corrected first. */
  | { readonly type: 'failed'; readonly text: string; readonly needs_birthday?: boolean }

export async function sendDocuments(
  { connection }: Pick<AppServices, 'connection'>,
  draft: VerificationDraft,
): Promise<SendResult> {
  const { type, country, front, selfie, back, challenge_id } = draft
  if (!type || !country || !front || !selfie || !challenge_id)
    return { type: 'failed', text: t('verification.missing.document') }
  try {
    await connection.http.post(
      'upload_passport',
      { type, country, challenge_id, consent: true },
      { files: { front, selfie, ...(hasBack(draft) && back && { back }) } },
    )
    return { type: 'sent' }
  } catch (error) {
    return toResult(error)
  }
}

const WRONG_PICTURE: Readonly<Record<string, TextId>> = {
  wrong_type: 'verification.wrong.wrong_type',
  too_large: 'verification.wrong.too_large',
}

function toResult(error: unknown): SendResult {
  if (error instanceof NoAnswerError) return { type: 'failed', text: t('verification.no_answer') }
  if (!(error instanceof RefusedError)) throw error
  const { additional } = error
  const refusal: string = error.refusal
  if (refusal === 'not_found') return { type: 'gesture_over' }
  const picture = findPicture(additional.field)
  const wrong = WRONG_PICTURE[refusal]
  if (wrong && picture)
    return {
      type: 'wrong_picture',
      picture,
      text: t(wrong, { megabytes: limits.passport_bytes / (1024 * 1024) }),
    }
  if (refusal === 'birthday_invalid')
    return { type: 'failed', text: t('verification.wrong.birthday'), needs_birthday: true }
  if (refusal === 'too_many') return { type: 'failed', text: t('error.too_many') }
  if (refusal === 'method_unavailable')
    return { type: 'failed', text: t('error.method_unavailable') }
  return { type: 'failed', text: t('verification.not_sent') }
}

function findPicture(field: unknown): PictureName | undefined {
  return field === 'front' || field === 'back' || field === 'selfie' ? field : undefined
}
