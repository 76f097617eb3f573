import type { Persistence, UnsentMessage } from '@duet/client'
import type { PhotoUpload } from './photo-uploads.ts'

/** More are refused at the composer: a page that is offline for hours must not fill the storage. */
export const UNSENT_MAX = 50

/** In the order of writing: a photo that has arrived precedes the texts that were written after the photo. */
export function withUnsent(
  unsent: readonly UnsentMessage[],
  added: UnsentMessage,
): readonly UnsentMessage[] {
  const place = unsent.findIndex(({ written_at }) => written_at > added.written_at)
  return place < 0 ? [...unsent, added] : unsent.toSpliced(place, 0, added)
}

/**
 * The first message that may be sent: no refusal stopped it, and no earlier photo of its dialog is still on its way.
 */
export function nextToSend(
  unsent: readonly UnsentMessage[],
  uploads: readonly Pick<PhotoUpload, 'dialog_id' | 'written_at' | 'error'>[],
): UnsentMessage | undefined {
  const waitsFor = ({ dialog_id, written_at }: UnsentMessage) =>
    uploads.some(
      (one) =>
        one.dialog_id === dialog_id && one.error === undefined && one.written_at < written_at,
    )
  return unsent.find((one) => one.refusal === undefined && !waitsFor(one))
}

export function withoutUnsent(
  unsent: readonly UnsentMessage[],
  random_id: string | undefined,
): readonly UnsentMessage[] {
  if (random_id === undefined || !unsent.some((one) => one.random_id === random_id)) return unsent
  return unsent.filter((one) => one.random_id !== random_id)
}

export function patchUnsent(
  unsent: readonly UnsentMessage[],
  random_id: string,
  change: Partial<UnsentMessage>,
): readonly UnsentMessage[] {
  return unsent.map((one) => (one.random_id === random_id ? { ...one, ...change } : one))
}

/** The messages that this user wrote before the page was loaded again. */
export function unsentIn(persistence: Persistence, user_id: number): readonly UnsentMessage[] {
  return (persistence.get('unsent_messages') ?? []).filter((one) => one.user_id === user_id)
}
