import type { OwnTexts, Persisted, Persistence } from '../storage.ts'

/** The type demands every key of `OwnTexts`, so that every text is removed after a log-out. */
const OWN_TEXTS: Record<keyof OwnTexts, true> = {
  unsent_messages: true,
  translated_dialogs: true,
  drafts: true,
}

/**
 * Removes the user's texts and choices in the messenger from this browser. Another user of the device could read them.
 */
export function removeOwnTexts(persistence: Persistence, userId: number | undefined): void {
  for (const key of Object.keys(OWN_TEXTS) as (keyof OwnTexts)[])
    removeTextsUnder(persistence, key, userId)
}

function removeTextsUnder<K extends keyof OwnTexts>(
  { get, set }: Persistence,
  key: K,
  userId: number | undefined,
): void {
  const kept: readonly { readonly user_id: number }[] = get(key) ?? []
  const others = kept.filter(({ user_id }) => user_id !== userId)
  set(key, others.length > 0 ? (others as unknown as Persisted[K]) : undefined)
}
