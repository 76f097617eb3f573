import type { Persistence } from '../storage.ts'

/** Removes what a user wrote or chose in the messenger of this browser: the next user of the device could read it. */
export function removeOwnTexts(persistence: Persistence, userId: number | undefined): void {
  const { get, set } = persistence
  set('unsent_messages', ofOthers(get('unsent_messages'), userId))
  set('drafts', ofOthers(get('drafts'), userId))
  set('translated_dialogs', ofOthers(get('translated_dialogs'), userId))
}

function ofOthers<Kept extends { readonly user_id: number }>(
  list: readonly Kept[] | undefined,
  userId: number | undefined,
): readonly Kept[] | undefined {
  const others = (list ?? []).filter(({ user_id }) => user_id !== userId)
  return others.length > 0 ? others : undefined
}
