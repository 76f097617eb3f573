import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { unsavedForms } from '../../shared/navigation/unsaved.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { HoursEditor } from './hours-editor.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())

let root: Root
let week: { zone: string; hours: unknown[] }

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('dates')
  week = { zone: 'Asia/Kolkata', hours: [{ weekday: 1, from_minute: 1080, until_minute: 1200 }] }
  const http = {
    get: async () => ({ ...week, taken: [], open: [] }),
    post: async (_path: string, body: typeof week) => (week = body),
  }
  const services = { connection: { http } } as unknown as AppServices
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <MemoryRouter>
        <QueryClientProvider client={createQueryClient()}>
          <AppServicesProvider services={services}>
            <HoursEditor />
          </AppServicesProvider>
        </QueryClientProvider>
      </MemoryRouter>,
    ),
  )
  await settled()
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)))
const leaves = () => dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('changed hours ask before the page is left, until they are as stored or are saved', async () => {
  const cell = document.querySelector<HTMLElement>('[data-cell]')!
  const press = async (one: HTMLElement) => {
    await act(async () => one.click())
    await settled()
  }
  expect(leaves()).toBe(true)
  await press(cell)
  expect(leaves()).toBe(false)
  await press(cell)
  expect(leaves()).toBe(true)
  await press(cell)
  const save = [...document.querySelectorAll('button')].find(({ textContent }) =>
    textContent.includes('Save open hours'),
  )
  await press(save!)
  expect(week.hours).toHaveLength(2)
  expect(leaves()).toBe(true)
  expect(unsavedForms.getSnapshot().size).toBe(0)
})
