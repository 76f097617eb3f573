import { createContext, use, useSyncExternalStore, type ComponentType } from 'react'
import type { QueryClient } from '@tanstack/react-query'
import type { ClientConnection } from '@duet/client'
import { createStore, type Observable } from '../../shared/observable-store.ts'
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

const RuntimeContext = createContext<Observable<PageRuntime | undefined>>(createStore(undefined))

export const RuntimeProvider = RuntimeContext.Provider

/** Undefined until the runtime is loaded, and while a prerendered page is hydrated. */
export function useRuntime(): PageRuntime | undefined {
  const { subscribe, getSnapshot } = use(RuntimeContext)
  return useSyncExternalStore(subscribe, getSnapshot, () => undefined)
}
