import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ComplaintCase } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { PendingProvider } from '../../shared/queue/pending-decision.tsx'
import { SessionProvider } from '../../shared/session.tsx'
import { ComplaintDecisionForm } from './complaint-decision.tsx'
import { RaiseCase } from './raise-case.tsx'

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  vi.spyOn(api, 'post').mockImplementation((async () => ({})) as never)
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The case before the raise, or as it is read again afterwards. */
async function draw(role: 'moderator' | 'manager', isRaised: boolean): Promise<void> {
  const session = {
    staff: { id: 7, email: 'dana@duet.example', role, last_visit: null },
    ends_at: '',
    fresh_until: '',
    server_time: '',
    translates: false,
    most: { penalty_coins: null, ban_days: null },
  }
  const shown = {
    complaint: {
      id: 3,
      reason: isRaised ? 'child' : 'spam',
      for_managers: isRaised,
      accused: { id: 5, nick: 'Omar', role: 'guy', locale: null },
      passed: null,
      decision: null,
    },
    named: null,
    accused_card: { age: null, since: null, avatar: null, sanctions: 0 },
  } as unknown as ComplaintCase
  await act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <MemoryRouter>
          <SessionProvider value={session}>
            <PendingProvider>
              <RaiseCase complaint={shown.complaint} />
              <ComplaintDecisionForm shown={shown} onDecided={() => undefined} />
            </PendingProvider>
          </SessionProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
}
const queries = new QueryClient()

const dialog = () => document.querySelector<HTMLElement>('[role=alertdialog]')
const aside = () => document.querySelector('aside')!
const submit = () => [...aside().querySelectorAll('button')].at(-1)!
const press = (text: string, within: ParentNode = document) =>
  act(async () =>
    [...within.querySelectorAll('button')].find((one) => one.textContent.includes(text))!.click(),
  )
const write = (field: HTMLTextAreaElement, text: string) =>
  act(async () => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!
    set!.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })

test('a raise says who decides now, and closes the decision for a moderator', async () => {
  await draw('moderator', false)
  await press('No violation', aside())
  expect(submit().disabled).toBe(false)
  await press('A child may be involved')
  await write(dialog()!.querySelector('textarea')!, 'She says that she is 15.')
  await press('Suspend and seal', dialog()!)
  await draw('moderator', true)
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('now a case about a child'))
  expect(dialog()!.textContent).toContain('Managers see it first in their queue and decide.')
  expect(aside().textContent).toContain('Only a manager can decide this case.')
  await press('No violation', aside())
  expect(submit().disabled).toBe(true)
})

test('a manager decides a raised case', async () => {
  await draw('manager', true)
  await press('No violation', aside())
  expect(submit().disabled).toBe(false)
  expect(aside().textContent).not.toContain('Only a manager')
})
