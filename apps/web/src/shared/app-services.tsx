import { createContext, use, type ReactNode } from 'react'
import type { User } from '@duet/protocol'
import { useStore } from './observable-store.ts'
import {
  RefusedError,
  type ClientConnection,
  type Persistence,
  type ConnectionSnapshot,
} from '@duet/client'

/** A user who pressed a button waits this long for the connection. */
export const CONNECTION_WAIT_MS = 15_000

/** The services that every screen uses: the connection to the server and the values that outlive the page. */
export interface AppServices {
  readonly connection: ClientConnection
  readonly persistence: Persistence
  /** Opens the error dialog. `area` is the action or call. The refusal chooses the sentence. */
  readonly report: (error: unknown) => void
}

const AppServicesContext = createContext<AppServices | undefined>(undefined)

export function AppServicesProvider({
  services,
  children,
}: {
  services: AppServices
  children: ReactNode
}) {
  return <AppServicesContext value={services}>{children}</AppServicesContext>
}

export function useAppServices(): AppServices {
  const services = use(AppServicesContext)
  if (!services) throw new Error('Impossible: a screen outside of AppServicesProvider')
  return services
}

/** The connection's phase and the last answer to AUTH. */
export function useSnapshot(): ConnectionSnapshot {
  const { connection } = useAppServices()
  return useStore(connection)
}

/** The own record, kept current by events. Undefined before the first AUTH. */
export function useOwnUser(): User | undefined {
  const { auth } = useSnapshot()
  return auth?.user as User | undefined
}

export { RefusedError }
