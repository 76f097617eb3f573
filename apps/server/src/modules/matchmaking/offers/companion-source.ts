import { createPort } from '../../../core/port.ts'
import type { App } from '../../../core/app.ts'
import { matchmakingState, type SearchSession } from '../search-sessions.ts'

/** Tells whether the server plays the user in this tab. Only the demo provides it: elsewhere no search is of a companion. */
export const companionSource = createPort<
  ((app: App, search: Pick<SearchSession, 'user_id' | 'tab_id'>) => boolean) | undefined
>('the companions of the demo', undefined)

export function isCompanion(app: App, search: SearchSession): boolean {
  return companionSource.get(app)?.(app, search) ?? false
}

/** The searches that go on, for the demo. */
export function listSearches(app: App): readonly Readonly<SearchSession>[] {
  return [...matchmakingState(app).searches.values()]
}
