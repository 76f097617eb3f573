import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Locale } from '@duet/protocol/kernel/locales.ts'
import { SessionProvider } from '../session.tsx'
import { ReplyField } from './reply-field.tsx'
import { useReply } from './use-reply.ts'

// The browser is Portuguese, and the texts of the office are English.
vi.mock('../texts.ts', async (load) => ({ ...(await load<object>()), locale: 'pt' }))

const SESSION = {
  staff: { id: 7, email: 'dana@duet.example', role: 'manager', last_visit: null } as const,
  ends_at: '',
  fresh_until: '',
  server_time: '',
  translates: true,
  most: { penalty_coins: null, ban_days: null },
}

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))
afterEach(() => vi.unstubAllGlobals())

function Field({ locale }: { locale: Locale }) {
  return <ReplyField label="Words" reply={useReply(locale)} />
}

async function buttonFor(locale: Locale): Promise<string | undefined> {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  const root = createRoot(place)
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <SessionProvider value={SESSION}>
          <Field locale={locale} />
        </SessionProvider>
      </QueryClientProvider>,
    ),
  )
  const text = place.querySelector('button')?.textContent
  await act(async () => root.unmount())
  return text
}

test('an English template is put into the language of the user, also where the browser has that language', async () => {
  expect(await buttonFor('pt')).toBe('Put into Portuguese')
  expect(await buttonFor('en')).toBeUndefined()
})
