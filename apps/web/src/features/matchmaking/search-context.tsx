import { createContext, use, type ReactNode } from 'react'
import type { SearchCommands } from './search-commands.ts'

const SearchCommandsContext = createContext<SearchCommands | undefined>(undefined)

export function SearchProvider({
  commands,
  children,
}: {
  commands: SearchCommands
  children: ReactNode
}) {
  return <SearchCommandsContext value={commands}>{children}</SearchCommandsContext>
}

export function useSearchCommands(): SearchCommands {
  const commands = use(SearchCommandsContext)
  if (!commands) throw new Error('Impossible: a screen of a search outside of SearchProvider')
  return commands
}
