import { limits } from '@duet/protocol/kernel/limits.ts'
import { NoAnswerError, RefusedError } from '@duet/client'
import { t, type TextId } from '../../shared/i18n.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { createAccountStore } from '../../shared/account/account-store.ts'
import { isPassing, pauseBefore } from '../../shared/connection/repetition.ts'
import { hasBack, type PictureName, type VerificationDraft } from './verification-draft.ts'

/** The answer to an upload, for the steps that show it. Every picture stays. */
export type SendResult =
  | { readonly type: 'sent' }
  /** The gesture was used or has expired. The user takes the selfie again, with another gesture. */
  | { readonly type: 'gesture_over' }
  | { readonly type: 'wrong_picture'; readonly picture: PictureName; readonly text: string }
  /** `needs_birthday`: the profile is to be corrected first. */
  | { readonly type: 'failed'; readonly text: string; readonly needs_birthday?: boolean }

/** The upload of this page. It continues, and its result stays, while the user looks at another page. */
export interface DocumentUpload {
  /** The part that has been sent, from 0 to 1. Undefined: nothing is being sent. */
  readonly progress?: number
  readonly failure?: Extract<SendResult, { type: 'failed' }>
  readonly errors: Partial<Record<PictureName, string>>
}

export const NO_UPLOAD: DocumentUpload = { errors: {} }
const REPETITIONS_MAX = 3

let request: AbortController | undefined
export const documentUpload = createAccountStore(NO_UPLOAD, () => {
  request?.abort()
  documentUpload.set(NO_UPLOAD)
})

/** Undefined: the account changed while the documents were being sent. */
export async function sendDocuments(
  { connection }: Pick<AppServices, 'connection'>,
  draft: VerificationDraft,
): Promise<SendResult | undefined> {
  const { type, country, front, selfie, back, challenge_id } = draft
  if (!type || !country || !front || !selfie || !challenge_id)
    return { type: 'failed', text: t('verification.missing.document') }
  const { signal } = (request = new AbortController())
  const post = () =>
    connection.http.post(
      'upload_passport',
      { type, country, challenge_id, consent: true },
      {
        files: { front, selfie, ...(hasBack(draft) && back && { back }) },
        onProgress: (progress) =>
          documentUpload.update((now) => (signal.aborted ? now : { ...now, progress })),
        signal,
      },
    )
  documentUpload.set({ ...NO_UPLOAD, progress: 0 })
  try {
    await repeatWhileLost(connection, post, signal)
    return signal.aborted ? undefined : { type: 'sent' }
  } catch (error) {
    return signal.aborted ? undefined : toResult(error)
  } finally {
    if (!signal.aborted) documentUpload.set(NO_UPLOAD)
  }
}

/** The server stores the documents of a challenge once, so that a repetition is harmless. */
async function repeatWhileLost(
  connection: AppServices['connection'],
  post: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  for (let repetition = 1; ; repetition += 1) {
    let isLost = false
    const stop = connection.subscribe(() => {
      isLost ||= connection.getSnapshot().phase !== 'ready'
    })
    try {
      await post()
      return
    } catch (error) {
      const isRepeatable =
        isPassing(error) || (error instanceof NoAnswerError && (isLost || !navigator.onLine))
      if (!isRepeatable || signal.aborted || repetition > REPETITIONS_MAX) throw error
    } finally {
      stop()
    }
    documentUpload.update((now) => ({ ...now, progress: 0 }))
    await pauseBefore(repetition)
    await connection.ready()
    if (signal.aborted) return
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
