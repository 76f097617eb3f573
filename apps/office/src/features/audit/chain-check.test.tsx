import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { api } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'
import { ChainCheck } from './chain-check.tsx'

const WHOLE = { ok: true, entries: 7, head: 'a'.repeat(64), faults: [], kept_head: 'found' }
let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  const client = new QueryClient()
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <ChainCheck />
      </QueryClientProvider>,
    ),
  )
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The sentences after the button was pressed and the server answered so. */
async function shownFor(answer: object): Promise<string[]> {
  vi.spyOn(api, 'get').mockResolvedValue({ ...WHOLE, ...answer } as never)
  await act(async () => document.querySelector<HTMLButtonElement>('button')!.click())
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  return [...document.querySelectorAll('p, li')].map(({ textContent }) => textContent)
}

test('a kept end that is too old or absent is said, also when no entry was changed', async () => {
  expect(await shownFor({ ok: false, kept_head: 'stale' })).toContain(t('office.audit.kept_stale'))
  expect(await shownFor({ ok: false, kept_head: 'none' })).toContain(t('office.audit.kept_none'))
  expect(await shownFor({ ok: false, kept_head: 'forged' })).toContain(
    t('office.audit.kept_forged'),
  )
  const shown = await shownFor({ ok: true, kept_head: 'none' })
  expect(shown).not.toContain(t('office.audit.kept_none'))
  expect(document.querySelector('code')!.textContent).toBe(WHOLE.head)
})
