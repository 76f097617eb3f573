import { RefusedError } from '@duet/client'
import type { OpenWeek } from '@duet/protocol'
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

const scrollIntoView = vi.fn<() => void>()
let root: Root
let week: OpenWeek

let http: object

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  Element.prototype.scrollIntoView = scrollIntoView
  await activate('en')
  await loadTexts('dates')
  week = {
    zone: 'Asia/Kolkata',
    hours: [{ weekday: 1, from_minute: 1080, until_minute: 1200 }],
    version: 1,
  }
  http = {
    get: async () => ({ ...week, taken: [], open: [] }),
    post: async (_path: string, body: OpenWeek) => {
      if (body.version !== week.version)
        throw new RefusedError('POST dates/hours', 'changed_elsewhere')
      return (week = { ...body, version: body.version + 1 })
    },
  }
  await mount()
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

async function mount(): Promise<void> {
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
}

const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)))
const leaves = () => dispatchEvent(new Event('beforeunload', { cancelable: true }))

const press = async (one: HTMLElement) => {
  await act(async () => one.click())
  await settled()
}
const button = (label: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes(label))
const chosen = () =>
  [...document.querySelectorAll<HTMLElement>('[data-cell][aria-pressed=true]')].map((cell) =>
    Number(cell.dataset.cell),
  )
/** Saturday from nine to ten, saved on another device. */
const OTHER: OpenWeek = {
  zone: 'Asia/Tokyo',
  hours: [{ weekday: 6, from_minute: 540, until_minute: 600 }],
  version: 2,
}

test('hours that were saved elsewhere are shown beside her choice, and replaced only after she has seen them', async () => {
  await press(document.querySelector<HTMLElement>('[data-cell="0"]')!)
  week = OTHER
  await press(button('Save open hours')!)
  const alert = document.querySelector('[role=alert]')
  expect(alert?.textContent).toMatch(
    /changed elsewhere.*Asia\/Tokyo.*Saturday, 9:00.AM to 10:00.AM/s,
  )
  expect(scrollIntoView).toHaveBeenCalledOnce()
  expect(week).toBe(OTHER)
  expect(chosen()).toEqual([0, 18, 19])
  await press(button('Save open hours')!)
  expect(week).toBe(OTHER)
  await press(button('Keep my choice')!)
  expect(document.querySelector('[role=alert]')).toBeNull()
  expect(leaves()).toBe(false)
  await press(button('Save open hours')!)
  expect(week).toMatchObject({ zone: 'Asia/Kolkata', version: 3 })
  expect(week.hours).toHaveLength(2)
  expect(document.querySelector('[role=alert]')).toBeNull()
  expect(leaves()).toBe(true)
})

test('the saved hours can be taken in place of her choice', async () => {
  await press(document.querySelector<HTMLElement>('[data-cell="0"]')!)
  week = OTHER
  await press(button('Save open hours')!)
  await press(button('Use the saved hours')!)
  expect(chosen()).toEqual([5 * 24 + 9])
  expect(document.body.textContent).toContain('Asia/Tokyo')
  expect(document.querySelector('[role=alert]')).toBeNull()
  expect(leaves()).toBe(true)
})

test('changed hours ask before the page is left, until they are as stored or are saved', async () => {
  const cell = document.querySelector<HTMLElement>('[data-cell]')!
  expect(leaves()).toBe(true)
  await press(cell)
  expect(leaves()).toBe(false)
  await press(cell)
  expect(leaves()).toBe(true)
  await press(cell)
  await press(button('Save open hours')!)
  expect(week.hours).toHaveLength(2)
  expect(leaves()).toBe(true)
  expect(unsavedForms.getSnapshot().size).toBe(0)
})

test('half hours that another client saved are shown, and kept when another hour is switched', async () => {
  const half = { weekday: 2, from_minute: 570, until_minute: 645 }
  week = { zone: 'Asia/Kolkata', hours: [half], version: 2 }
  await act(async () => root.unmount())
  await mount()
  const cell = (number: number) => document.querySelector<HTMLElement>(`[data-cell="${number}"]`)!
  expect(cell(24 + 9).getAttribute('aria-pressed')).toBe('mixed')
  expect(cell(24 + 9).getAttribute('aria-label')).toMatch(/Tuesday, 9:30.AM to 10:00.AM/)
  expect(cell(24 + 10).getAttribute('aria-label')).toMatch(/Tuesday, 10:00.AM to 10:45.AM/)
  expect(document.querySelector('[role=status]')?.textContent).toBe('1.25 open hours a week')
  expect(leaves()).toBe(true)
  await press(cell(0))
  await press(button('Save open hours')!)
  expect(week.hours).toEqual([{ weekday: 1, from_minute: 0, until_minute: 60 }, half])
  await press(cell(24 + 9))
  await press(button('Save open hours')!)
  expect(week.hours[1]).toEqual({ weekday: 2, from_minute: 540, until_minute: 645 })
})
