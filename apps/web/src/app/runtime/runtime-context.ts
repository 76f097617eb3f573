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
 * The parts that the landing page does not need in its first frame: the connection, the query cache, and every feature. It is loaded after
 * the page was hydrated, and before the first frame of every other page.
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
 * Gives the runtime to everything inside once it is loaded, and never while a prerendered page is hydrated. The value is deferred: the
 * page then changes in pieces between which it reacts to a touch.
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
