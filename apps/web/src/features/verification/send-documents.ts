import type { Body } from '@duet/protocol'
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
  readonly is_sending: boolean
  /** The part of each picture that has been sent, from 0 to 1. Empty before the first upload of a draft. */
  readonly shares: Partial<Record<PictureName, number>>
  readonly failure?: Extract<SendResult, { type: 'failed' }>
  readonly errors: Partial<Record<PictureName, string>>
}

export const NO_UPLOAD: DocumentUpload = { is_sending: false, shares: {}, errors: {} }
const REPETITIONS_MAX = 3
const WITHOUT_BACK = ['front', 'selfie'] as const

let request: AbortController | undefined
export const documentUpload = createAccountStore(NO_UPLOAD, () => {
  request?.abort()
  documentUpload.set(NO_UPLOAD)
})

/** The ids of pictures that the server has stored. A picture that arrived is not sent again after a failure. */
const storedIds = new WeakMap<Blob, string>()

type Connection = AppServices['connection']

/** Undefined: the account changed while the documents were being sent. */
export async function sendDocuments(
  { connection }: Pick<AppServices, 'connection'>,
  draft: VerificationDraft,
): Promise<SendResult | undefined> {
  const pictures = getPictures(draft)
  const { type, country, challenge_id } = draft
  if (!type || !country || !challenge_id || !pictures.has('front') || !pictures.has('selfie'))
    return { type: 'failed', text: t('verification.missing.document') }
  const { signal } = (request = new AbortController())
  const fields = { type, country, challenge_id, consent: true } as const
  documentUpload.set({ ...NO_UPLOAD, is_sending: true, shares: getShares(pictures) })
  try {
    await sendAll(connection, { pictures, fields, signal })
    return signal.aborted ? undefined : { type: 'sent' }
  } catch (error) {
    return signal.aborted ? undefined : toResult(error)
  } finally {
    if (!signal.aborted) documentUpload.update((now) => ({ ...now, is_sending: false }))
  }
}

/** The pictures of a draft in the order in which they are sent. The selfie may be replaced by another gesture: it is last. */
export function getPictures(draft: VerificationDraft): ReadonlyMap<PictureName, Blob> {
  const pictures = new Map<PictureName, Blob>()
  for (const name of hasBack(draft) ? (['front', 'back', 'selfie'] as const) : WITHOUT_BACK) {
    const picture = draft[name]
    if (picture) pictures.set(name, picture)
  }
  return pictures
}

function getShares(pictures: ReadonlyMap<PictureName, Blob>): DocumentUpload['shares'] {
  return Object.fromEntries(
    [...pictures].map(([name, picture]) => [name, storedIds.has(picture) ? 1 : 0]),
  )
}

interface Sending {
  readonly pictures: ReadonlyMap<PictureName, Blob>
  readonly fields: Pick<
    Body<'POST upload_passport'>,
    'type' | 'country' | 'challenge_id' | 'consent'
  >
  readonly signal: AbortSignal
}

/** Each picture is a request of its own: on a slow network a loss repeats one picture. */
async function sendAll(connection: Connection, sending: Sending, isRepeat = false): Promise<void> {
  const { pictures, fields, signal } = sending
  for (const [side, picture] of pictures) {
    if (!storedIds.has(picture)) await sendPicture(connection, { side, picture, signal })
    if (signal.aborted) return
  }
  const ids = Object.fromEntries(
    [...pictures].map(([side, picture]) => [`${side}_id`, storedIds.get(picture)]),
  )
  // A form, as the contract wants it, also without a file.
  const post = () => connection.http.post('upload_passport', { ...fields, ...ids }, { files: {} })
  try {
    await repeatWhileLost(connection, post, signal)
  } catch (error) {
    const isGone = error instanceof RefusedError && error.additional.what === 'picture'
    if (!isGone || isRepeat) throw error
    // The pictures waited for more than a day, or another page of the user has replaced them.
    for (const picture of pictures.values()) storedIds.delete(picture)
    await sendAll(connection, sending, true)
  }
}

async function sendPicture(
  connection: Connection,
  { side, picture, signal }: { side: PictureName; picture: Blob; signal: AbortSignal },
): Promise<void> {
  const show = (share: number) =>
    documentUpload.update((now) =>
      signal.aborted ? now : { ...now, shares: { ...now.shares, [side]: share } },
    )
  const post = async () => {
    show(0)
    const { document_id } = await connection.http.post(
      'upload_passport/picture',
      { side },
      { files: { picture }, onProgress: show, signal },
    )
    // Without an id the server waits for no picture. It says so again to the request that follows.
    if (document_id !== undefined) storedIds.set(picture, document_id)
    show(1)
  }
  await repeatWhileLost(connection, post, signal)
}

/** The server stores one picture of each side, and one request of a user, so that a repetition is harmless. */
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
  if (refusal === 'not_found' && additional.what === 'challenge') return { type: 'gesture_over' }
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
