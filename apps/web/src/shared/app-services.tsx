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

/** A user who pressed a button waits this long for the connection. */
export const CONNECTION_WAIT_MS = 15_000

/** The services that every screen uses: the connection to the server and the values that outlive the page. */
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

/** The connection's phase and the last answer to AUTH. */
export function useSnapshot(): ConnectionSnapshot {
  const { connection } = useAppServices()
  return useStore(connection)
}

/** The own record, kept current by events; undefined before the first AUTH. */
export function useOwnUser(): User | undefined {
  const { auth } = useSnapshot()
  return auth?.user as User | undefined
}

export interface PendingAction<Given, Answer> {
  readonly busy: boolean
  /** Resolves with undefined when the action failed and the error was handled. */
  readonly run: (given: Given) => Promise<Answer | undefined>
}

/**
 * An action behind a control: busy while it runs. An error that the screen does not handle goes to the error dialog.
 * `handlesRefusal` returns true for a refusal that the screen shows in place.
 */
export function useAction<A extends ActionName>(
  action: A,
  handlesRefusal: (refused: RefusedError) => boolean = () => false,
): PendingAction<Sent<A>, Ack<A>> {
  const { connection, report } = useAppServices()
  const [busy, setBusy] = useState(false)
  const latest = useRef(handlesRefusal)
  useEffect(() => {
    latest.current = handlesRefusal
  })
  const run = useCallback(
    async (given: Sent<A>) => {
      setBusy(true)
      try {
        return await connection.act(action, given)
      } catch (error) {
        const isHandled = error instanceof RefusedError && latest.current(error)
        if (!isHandled) report(error)
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
