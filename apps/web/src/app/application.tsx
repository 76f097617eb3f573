import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, useEffect, useRef, type ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import type { Persistence } from '@duet/client'
import { DirectionProvider } from '@duet/ui'
import { createQueryClient } from '../shared/queries.ts'
import { AppServicesProvider, type AppServices } from '../shared/app-services.tsx'
import { bootstrap } from './bootstrap.ts'
import { createServices } from './create-services.ts'
import { AppLayout } from './layout/app-layout.tsx'

/** The whole application around its routes. */
export function createApplication(options: {
  persistence: Persistence
  basename: string
}): ReactNode {
  const queries = createQueryClient()
  const services = createServices(options.persistence)
  return (
    <StrictMode>
      <ApplicationFrame
        services={services}
        queries={queries}
        direction={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}
      >
        <BrowserRouter basename={options.basename}>
          <AppLayout />
        </BrowserRouter>
        <AfterMount run={() => bootstrap({ ...services, queries })} />
      </ApplicationFrame>
    </StrictMode>
  )
}

interface ApplicationFrameProps {
  services: AppServices
  queries: QueryClient
  direction: 'ltr' | 'rtl'
  children: ReactNode
}

/** The contexts that every screen reads. The build prerenders the landing page within them, too. */
export function ApplicationFrame({
  services,
  queries,
  direction,
  children,
}: ApplicationFrameProps) {
  return (
    <AppServicesProvider services={services}>
      <QueryClientProvider client={queries}>
        <DirectionProvider direction={direction}>{children}</DirectionProvider>
      </QueryClientProvider>
    </AppServicesProvider>
  )
}

/** Runs once after the first commit: data that arrives during hydration would differ from the prerendered page. */
function AfterMount({ run }: { run: () => void }) {
  const hasRun = useRef(false)
  useEffect(() => {
    if (hasRun.current) return
    hasRun.current = true
    run()
  }, [run])
  return null
}
