import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, type ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import type { Persistence } from '@duet/client'
import { DirectionProvider } from '@duet/ui'
import { createQueryClient } from '../lib/queries.ts'
import { SessionProvider } from '../lib/session.tsx'
import { begin } from './begin.ts'
import { createLine } from './line.ts'
import { AppLayout } from './layout/app-layout.tsx'

/** The whole application around its routes. */
export function createApplication(given: {
  persistence: Persistence
  basename: string
}): ReactNode {
  const queries = createQueryClient()
  const session = createLine(given.persistence)
  begin(session, queries)
  const direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
  return (
    <StrictMode>
      <SessionProvider session={session}>
        <QueryClientProvider client={queries}>
          <DirectionProvider direction={direction}>
            <BrowserRouter basename={given.basename}>
              <AppLayout />
            </BrowserRouter>
          </DirectionProvider>
        </QueryClientProvider>
      </SessionProvider>
    </StrictMode>
  )
}
