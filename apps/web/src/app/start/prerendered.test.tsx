import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { prerender } from 'react-dom/static'
import { memoryStore, persistence } from '@duet/client'
import type { Locale } from '@duet/protocol/kernel/locales.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { createApplication } from '../application.tsx'
import { openRuntime } from '../runtime/open-runtime.ts'
import type { PageRuntime } from '../runtime/runtime-context.ts'
import { CAST_PLACES, prerenderLanding } from './prerendered.tsx'
import { readPageCast } from './page-cast.ts'

let root: Root | undefined

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // A page whose server never answers: nothing but the hydration changes it.
  vi.stubGlobal('fetch', () => new Promise(() => {}))
})
afterEach(() => {
  act(() => root?.unmount())
  dialogs.closeAll()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function openPage(locale: Locale, cast?: typeof CAST_PLACES): Promise<HTMLElement> {
  const { html } = await prerenderLanding(locale, cast)
  // The server renderer leaves its context values in place until its next rendering.
  await prerender(<i />)
  const container = document.createElement('div')
  container.append(document.createRange().createContextualFragment(html))
  const template = document.createElement('template')
  template.id = 'demo-cast'
  if (cast) template.content.append(JSON.stringify(cast))
  document.body.replaceChildren(template, container)
  document.documentElement.lang = locale
  return container
}

async function hydrate(
  container: HTMLElement,
  basename = '/',
  order: 'early' | 'late' | 'never' = 'late',
  posted?: unknown[],
): Promise<unknown[]> {
  history.replaceState(null, '', basename)
  const problems: unknown[] = []
  const storage = persistence(memoryStore())
  const application = createApplication({ persistence: storage, basename })
  await act(async () => {
    root = hydrateRoot(container, application.element, {
      onRecoverableError: (error) => problems.push(error),
    })
    if (order === 'early') application.run(openRuntime(storage))
  })
  if (posted) await act(async () => application.run(connected(posted)))
  if (order === 'late') await act(async () => application.run(openRuntime(storage)))
  return problems
}

/** A runtime with a connection that is ready and stores what is posted. */
function connected(posted: unknown[]): PageRuntime {
  const runtime = openRuntime(persistence(memoryStore()))
  Object.assign(runtime.connection, {
    ready: async () => {},
    http: { post: (...call: unknown[]) => new Promise(() => posted.push(call)) },
  })
  return { ...runtime, start() {} }
}

test.each([
  ['en', 'late'],
  ['ar', 'late'],
  ['en', 'early'],
  ['en', 'never'],
] as const)(
  'hydration keeps every element of the prerendered page, with open questions and the focus (%s, runtime: %s)',
  async (locale, order) => {
    const container = await openPage(locale)
    const question = container.querySelectorAll('details')[1]!
    question.open = true
    const start = container.querySelector<HTMLElement>('[data-press="start"]')!
    start.focus()
    const before = [...container.querySelectorAll('main, h1, section, details, button')]
    const scrolled = vi.spyOn(globalThis, 'scrollTo')
    expect(await hydrate(container, `/${locale}/`, order)).toEqual([])
    expect(before.every((element) => element.isConnected)).toBe(true)
    expect(question.open).toBe(true)
    expect(document.activeElement).toBe(start)
    expect(scrolled).not.toHaveBeenCalled()
  },
)

/** The script of the page, as a browser runs it before the application is loaded. */
function runPageScript(): void {
  const page = readFileSync(join(import.meta.dirname, '../../../index.html'), 'utf8')
  runInThisContext(/<script>([\s\S]*?)<\/script>/.exec(page)![1]!)
}

test('the page of a demo shows its users before a script runs, and signs in as the user of an early press', async () => {
  vi.stubGlobal('duetReady', undefined)
  runPageScript()
  const cast = CAST_PLACES.map((one) => ({ ...one, user_id: one.user_id + 40 }))
  const container = await openPage('en', cast)
  expect(readPageCast()).toEqual(cast)
  const users = [...container.querySelectorAll<HTMLElement>('[data-press^="demo "]')]
  expect(users.map(({ textContent }) => textContent)).toEqual(cast.map(({ nick }) => nick))
  users[2]!.click()
  expect(users[2]!.getAttribute('aria-busy')).toBe('true')
  const posted: unknown[] = []
  expect(await hydrate(container, '/', 'never', posted)).toEqual([])
  expect(users.every((element) => element.isConnected)).toBe(true)
  expect(posted).toEqual([['demo/sign-in', { user_id: 42 }]])
})

test.each(['before', 'after'] as const)(
  'a press %s the application is loaded asks for the age without a connection',
  async (moment) => {
    vi.stubGlobal('duetReady', undefined)
    runPageScript()
    const container = await openPage('en')
    const start = container.querySelector<HTMLElement>('[data-press="start"]')!
    if (moment === 'before') start.click()
    expect(await hydrate(container)).toEqual([])
    if (moment === 'after') await act(async () => start.click())
    expect(dialogs.getSnapshot().map(({ name }) => name)).toEqual(['age_confirmation'])
  },
)

test('the page at the address without a language is hydrated as the page of its language', async () => {
  const container = await openPage('en')
  const links = () => [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))
  const before = links()
  expect(await hydrate(container)).toEqual([])
  expect(links()).toEqual(before)
})

test('the prerendered page shows its content without a script', async () => {
  const { html } = await prerenderLanding('en')
  expect(html).not.toMatch(/<script|<template|hidden id=/)
})

test('the prerendered page promises nothing that an installation may not have', async () => {
  const { html } = await prerenderLanding('en')
  const words = html.replace(/<[^>]*>/g, ' ')
  expect(words).toContain('Start a video chat')
  expect(words).not.toMatch(/translat|moderat|billing|message|eleven|document|sound/i)
})

test('the prerendered page names no number of seconds, which only the installation knows', async () => {
  const { html } = await prerenderLanding('en')
  const words = html.replace(/<[^>]*>/g, ' ')
  expect(words).toContain(
    'The first seconds with someone new, once a day with each person, up to a daily limit.',
  )
  expect(words).not.toMatch(/\d+\s+(?:free\s+)?seconds?\b/i)
})
