import {
  createContext,
  createElement,
  use,
  useDeferredValue,
  useSyncExternalStore,
  type ComponentType,
  type ReactNode,
} from 'react'
import type { QueryClient } from '@tanstack/react-query'
import type { ClientConnection } from '@duet/client'
import type { Observable } from '../../shared/observable-store.ts'
import type { LandingFigures } from './landing-figures.tsx'
import type { MemberHome } from '../pages/member-home.tsx'

/**
 * The parts that the first frame of the landing page does not need: the connection, the query cache and the features.
 * The landing page loads these parts after hydration, every other page before its first frame.
 */
export interface PageRuntime {
  readonly connection: ClientConnection
  readonly queries: QueryClient
  readonly report: (error: unknown) => void
  /** Starts the features and the connection. */
  readonly start: () => void
  /** The parts of the layout that need the features or the query cache. */
  readonly screens: {
    readonly FeaturePages: ComponentType
    readonly MemberHome: typeof MemberHome
    readonly LandingFigures: typeof LandingFigures
    readonly DialogHost: ComponentType
  }
}

const RuntimeContext = createContext<PageRuntime | undefined>(undefined)

/**
 * Gives the loaded runtime to everything inside. Hydration of a prerendered page ends first. The value is deferred, so
 * that the page changes in pieces and reacts to a touch between two pieces.
 */
export function RuntimeProvider({
  store,
  children,
}: {
  store: Observable<PageRuntime | undefined>
  children: ReactNode
}) {
  const loaded = useSyncExternalStore(store.subscribe, store.getSnapshot, () => undefined)
  return createElement(RuntimeContext, { value: useDeferredValue(loaded) }, children)
}

/** Undefined until the runtime is loaded. */
export function useRuntime(): PageRuntime | undefined {
  return use(RuntimeContext)
}
