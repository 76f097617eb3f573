import {
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import type { Ack, ActionName, Sent, User } from '@duet/protocol'
import { useStore } from './observable-store.ts'
import {
  RefusedError,
  type ClientConnection,
  type Persistence,
  type ConnectionSnapshot,
} from '@duet/client'

/** What every screen stands on: the line to the server and what outlives the page. */
export interface AppServices {
  readonly connection: ClientConnection
  readonly persistence: Persistence
  /** The one error dialog: `area` is the action or call, the refusal chooses the sentence. */
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

/** Where the line stands, and what the last AUTH answered. */
export function useSnapshot(): ConnectionSnapshot {
  const { connection } = useAppServices()
  return useStore(connection)
}

/** The own record, kept right by the events that change it; undefined before the first AUTH. */
export function useOwnUser(): User | undefined {
  const { auth } = useSnapshot()
  return auth?.user as User | undefined
}

export interface PendingAction<Given, Answer> {
  readonly busy: boolean
  /** Undefined when it was refused and the one error dialog took it. */
  readonly run: (given: Given) => Promise<Answer | undefined>
}

/**
 * An action behind a control: busy while it runs, and whatever the screen does not treat itself goes to the error dialog.
 * `treats` answers true for a refusal that the screen shows in place.
 */
export function useAction<A extends ActionName>(
  action: A,
  treats: (refused: RefusedError) => boolean = () => false,
): PendingAction<Sent<A>, Ack<A>> {
  const { connection, report } = useAppServices()
  const [busy, setBusy] = useState(false)
  const latest = useRef(treats)
  useEffect(() => {
    latest.current = treats
  })
  const run = useCallback(
    async (given: Sent<A>) => {
      setBusy(true)
      try {
        return await connection.act(action, given)
      } catch (error) {
        const isTreated = error instanceof RefusedError && latest.current(error)
        if (!isTreated) report(error)
        return undefined
      } finally {
        setBusy(false)
      }
    },
    [connection, action, report],
  )
  return useMemo(() => ({ busy, run }), [busy, run])
}

export { RefusedError }
