import { createContext, use, type ReactNode } from 'react'
import type { CallEngine, EngineSnapshot } from '@duet/call-engine'
import { useStore, type Observable } from '../../shared/observable-store.ts'
import type { CallCommands } from './call-commands.ts'
import type { CallsState } from './calls-state.ts'

/** Everything that the screens of a call need: its state, its commands, picture and sound of the partner. */
export interface CallScreenContext {
  readonly calls: Observable<CallsState>
  readonly commands: CallCommands
  readonly engine: Pick<
    CallEngine,
    'subscribe' | 'getSnapshot' | 'attachRemote' | 'remote_stream' | 'play' | 'data_use'
  >
}

const CallContext = createContext<CallScreenContext | undefined>(undefined)

export function CallProvider({
  context,
  children,
}: {
  context: CallScreenContext
  children: ReactNode
}) {
  return <CallContext value={context}>{children}</CallContext>
}

function useCallContext(): CallScreenContext {
  const context = use(CallContext)
  if (!context) throw new Error('Impossible: a screen of a call outside of CallProvider')
  return context
}

export function useCalls(): CallsState {
  return useStore(useCallContext().calls)
}

export function useCallCommands(): CallCommands {
  return useCallContext().commands
}

export function useCallEngine(): CallScreenContext['engine'] {
  return useCallContext().engine
}

export function useEngineSnapshot(): EngineSnapshot {
  return useStore(useCallEngine())
}
