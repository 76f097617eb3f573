import type { Persistence, UnsentMessage } from '@duet/client'

/** More are refused at the composer: a page that is offline for hours must not fill the storage. */
export const UNSENT_MAX = 50

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
