import { QueryClientContext } from '@tanstack/react-query'
import {
  StrictMode,
  useEffect,
  useRef,
  type ContextType,
  type ReactNode,
  startTransition,
  useLayoutEffect,
  useState,
} from 'react'
import type { Persistence } from '@duet/client'
import { DirectionProvider } from '@duet/ui'
import { AppServicesProvider, type AppServices } from '../shared/app-services.tsx'
import { createStore, type Observable } from '../shared/observable-store.ts'
import { AppLayout } from './layout/app-layout.tsx'
import { createEarlyConnection } from './runtime/early-connection.ts'
import { RuntimeProvider, useRuntime, type PageRuntime } from './runtime/runtime-context.ts'
import { PageCast, readPageCast } from './start/page-cast.ts'
import { Router, UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router'

export interface Application {
  readonly element: ReactNode
  /** Gives the application its connection and its features: before or after its first frame. */
  readonly run: (runtime: PageRuntime) => void
}

/** The whole application around its routes. */
export function createApplication(options: {
  persistence: Persistence
  basename: string
}): Application {
  const { services, runtime, run } = createEarlyServices(options.persistence)
  const element = (
    <StrictMode>
      <ApplicationFrame
        services={services}
        runtime={runtime}
        direction={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}
        cast={readPageCast()}
      >
        <PageRouter basename={options.basename}>
          <AppLayout />
        </PageRouter>
        <RuntimeStart />
      </ApplicationFrame>
    </StrictMode>
  )
  return { element, run }
}

interface EarlyServices extends Pick<Application, 'run'> {
  readonly services: AppServices
  readonly runtime: Observable<PageRuntime | undefined>
}

/** The services of the page, which can be used before the runtime that provides them is loaded. */
export function createEarlyServices(persistence: Persistence): EarlyServices {
  const runtime = createStore<PageRuntime | undefined>(undefined)
  const { connection, attach } = createEarlyConnection()
  return {
    services: {
      connection,
      persistence,
      report: (error) => (runtime.getSnapshot()?.report ?? reportError)(error),
    },
    runtime,
    run(loaded) {
      attach(loaded.connection)
      runtime.set(loaded)
    },
  }
}

interface ApplicationFrameProps extends Pick<EarlyServices, 'services' | 'runtime'> {
  direction: 'ltr' | 'rtl'
  /** The demo users in the page of a demo. */
  cast?: ContextType<typeof PageCast>
  children: ReactNode
}

/** The contexts that every screen reads. The build prerenders the landing page within them, too. */
export function ApplicationFrame({
  services,
  runtime,
  direction,
  cast,
  children,
}: ApplicationFrameProps) {
  return (
    <AppServicesProvider services={services}>
      <RuntimeProvider store={runtime}>
        <Queries>
          <PageCast value={cast}>
            <DirectionProvider direction={direction}>{children}</DirectionProvider>
          </PageCast>
        </Queries>
      </RuntimeProvider>
    </AppServicesProvider>
  )
}

/** The query cache of the runtime. A reader of the cache is a part of the runtime or appears after the runtime. */
function Queries({ children }: { children: ReactNode }) {
  const queries = useRuntime()?.queries
  useEffect(() => {
    queries?.mount()
    return () => queries?.unmount()
  }, [queries])
  return <QueryClientContext value={queries}>{children}</QueryClientContext>
}

/** Starts the runtime once, after the first commit: data that arrives during hydration would differ from the prerendered page. */
function RuntimeStart() {
  const runtime = useRuntime()
  const hasStarted = useRef(false)
  useEffect(() => {
    if (!runtime || hasStarted.current) return
    hasStarted.current = true
    runtime.start()
  }, [runtime])
  return null
}

/**
 * The router of the page. The module of `BrowserRouter` also contains links and forms, and the landing page is hydrated
 * without them.
 */
function PageRouter({ basename, children }: { basename: string; children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }))
  const [{ action, location }, setNavigation] = useState(() => getCurrentLocation(history))
  useLayoutEffect(
    () => history.listen(() => startTransition(() => setNavigation(getCurrentLocation(history)))),
    [history],
  )
  return (
    <Router basename={basename} navigator={history} location={location} navigationType={action}>
      {children}
    </Router>
  )
}

function getCurrentLocation({ action, location }: ReturnType<typeof createBrowserHistory>) {
  return { action, location }
}
