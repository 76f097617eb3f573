import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, type ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import type { Persistence } from '@duet/client'
import { DirectionProvider } from '@duet/ui'
import { createQueryClient } from '../shared/queries.ts'
import { AppServicesProvider } from '../shared/app-services.tsx'
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
  bootstrap({ ...services, queries })
  const direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
  return (
    <StrictMode>
      <AppServicesProvider services={services}>
        <QueryClientProvider client={queries}>
          <DirectionProvider direction={direction}>
            <BrowserRouter basename={options.basename}>
              <AppLayout />
            </BrowserRouter>
          </DirectionProvider>
        </QueryClientProvider>
      </AppServicesProvider>
    </StrictMode>
  )
}
