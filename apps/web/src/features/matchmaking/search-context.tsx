import { createContext, use, useMemo, type ReactNode } from 'react'
import type { Locale } from '@duet/protocol'
import { useStore, type Observable } from '../../shared/observable-store.ts'
import type { MatchmakingState } from './matchmaking-state.ts'
import type { SearchCommands } from './search-commands.ts'

interface SearchScreenContext {
  readonly commands: SearchCommands
  readonly matchmaking: Observable<MatchmakingState>
}

const SearchScreens = createContext<SearchScreenContext | undefined>(undefined)

export function SearchProvider({
  commands,
  matchmaking,
  children,
}: SearchScreenContext & { children: ReactNode }) {
  const context = useMemo(() => ({ commands, matchmaking }), [commands, matchmaking])
  return <SearchScreens value={context}>{children}</SearchScreens>
}

function useSearchScreens(): SearchScreenContext {
  const context = use(SearchScreens)
  if (!context) throw new Error('Impossible: a screen of a search outside of SearchProvider')
  return context
}

export function useSearchCommands(): SearchCommands {
  return useSearchScreens().commands
}

/** The languages that the next partner should speak. An empty list means any language. */
export function useWantedLanguages(): readonly Locale[] {
  return useStore(useSearchScreens().matchmaking, ({ wanted_languages }) => wanted_languages)
}
