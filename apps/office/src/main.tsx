import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { RefusedError } from '@duet/client'
import { Office } from './app/office.tsx'
import { solveCaptcha } from './app/solve-captcha.ts'
import { captcha } from './shared/api.ts'
import { loadTexts } from './shared/texts.ts'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal is an answer: only a call without an answer is tried again.
      retry: (failures, error) => failures < 1 && !(error instanceof RefusedError),
    },
  },
})

captcha.solve = solveCaptcha
await loadTexts()
createRoot(document.querySelector('#root')!).render(
  <QueryClientProvider client={queries}>
    {/* Fields hold what the address says: as a transition, React would put the old letters back after each key. */}
    <BrowserRouter basename="/office" useTransitions={false}>
      <Office />
    </BrowserRouter>
  </QueryClientProvider>,
)
