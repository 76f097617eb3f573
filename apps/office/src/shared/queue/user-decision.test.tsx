import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeskPerson } from '@duet/protocol'
import { SessionProvider } from '../session.tsx'
import { PendingProvider } from './pending-decision.tsx'
import { UserDecision } from './user-decision.tsx'

const STAFF = { id: 7, email: 'dana@duet.example', role: 'moderator', last_visit: null } as const
const SESSION = {
  staff: STAFF,
  ends_at: '',
  fresh_until: '',
  server_time: '',
  translates: false,
  most: { penalty_coins: '5000', ban_days: 7 },
}
let root: Root
let sent: unknown[]

type Removal = NonNullable<Parameters<typeof UserDecision>[0]['removal']>

async function open(
  role: 'guy' | 'girl',
  pass?: { closed?: string },
  removal?: Removal,
): Promise<void> {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  const send = (given: unknown, remove?: boolean) =>
    Promise.resolve(sent.push(remove ? { given, remove } : given))
  const passing = pass && { ...pass, send }
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <SessionProvider value={SESSION}>
            <PendingProvider>
              <UserDecision
                caseId="1"
                user={{ id: 5, nick: 'Omar', role, locale: null } as unknown as DeskPerson}
                reasons={{ rule: 'other', ban: 'other' }}
                send={send}
                {...(passing && { pass: passing })}
                removal={removal}
                onDecided={() => undefined}
              />
            </PendingProvider>
          </SessionProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  sent = []
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.unstubAllGlobals()
})

const press = (key: string, ctrlKey = false) =>
  act(async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true }))
  })
const chosen = () => document.querySelector('[role=radio][aria-checked=true]')?.textContent
const submit = () => [...document.querySelectorAll('button')].at(-1)!
const write = (field: HTMLInputElement | HTMLTextAreaElement, text: string) =>
  act(async () => {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!
    set!.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })

test('a number means the same for a man and a woman, and a man gets no penalty', async () => {
  await open('guy')
  await press('3')
  expect(chosen()).toBeUndefined()
  expect(document.body.textContent).toContain('Women only')
  await press('4')
  expect(chosen()).toContain('Ban')
  await act(async () => root.unmount())
  await open('girl')
  await press('3')
  expect(chosen()).toContain('Penalty')
  await press('4')
  expect(chosen()).toContain('Ban')
})

test('a ban begins with a day, and the arrows keep within what the role may choose', async () => {
  await open('guy')
  await press('4')
  expect(submit().textContent).toContain('Ban: A day')
  expect(document.body.textContent).toContain('A manager can ban for longer.')
  for (let times = 0; times < 5; times += 1) await press('ArrowDown')
  expect(submit().textContent).toContain('Ban: 7 days')
  await press('Enter', true)
  expect(sent).toMatchObject([{ decision: 'ban', hours: 168 }])
})

test('a letter chooses the reason, and each list knows its own', async () => {
  await open('guy')
  await press('4')
  await press('c')
  await press('m')
  await press('ArrowDown')
  await press('Enter', true)
  await act(async () => root.unmount())
  await open('guy')
  await press('2')
  await press('c')
  await press('Enter', true)
  await act(async () => root.unmount())
  expect(sent).toMatchObject([
    { decision: 'ban', reason: 'multiple_accounts', hours: 72 },
    { decision: 'warning', reason: 'contacts' },
  ])
})

test('a penalty above the limit of the role is not sent, and the field names who may', async () => {
  await open('girl')
  await press('3')
  const coins = document.querySelector<HTMLInputElement>('input[inputmode=numeric]')!
  await write(coins, '5001')
  expect(document.querySelector('[aria-invalid=true]')).not.toBeNull()
  expect(document.body.textContent).toContain('At most 5000 coins. A manager can take more.')
  expect(submit().disabled).toBe(true)
  await write(coins, '5000')
  expect(submit().disabled).toBe(false)
})

test('a case is passed on by 5 with a note, where that is open', async () => {
  await open('guy', { closed: 'no more' })
  await press('5')
  expect(chosen()).toBeUndefined()
  await act(async () => root.unmount())
  await open('guy', {})
  await press('5')
  const note = document.querySelector('textarea')!
  expect(document.activeElement).toBe(note)
  expect(submit().disabled).toBe(true)
  await write(note, 'Look at their dialog.')
  await press('Enter', true)
  expect(sent).toEqual(['Look at their dialog.'])
})

test('an act removes what was reported by R, where there is something to remove', async () => {
  await open('guy', undefined, { kind: 'message', isProposed: false })
  await press('r')
  await press('1')
  expect(document.body.textContent).not.toContain('And remove the message')
  await press('4')
  expect(submit().textContent).toContain('Ban: A day')
  await press('r')
  expect(submit().textContent).toContain('Ban: A day, and remove it')
  await press('Enter', true)
  expect(sent).toMatchObject([{ given: { decision: 'ban' }, remove: true }])
  await act(async () => root.unmount())
  await open('guy')
  await press('4')
  await press('r')
  expect(submit().textContent).not.toContain('remove it')
})

test('an intimate picture is removed unless staff leave it, and never without a violation', async () => {
  const removal = { kind: 'picture', isProposed: true } as const
  await open('guy', undefined, removal)
  await press('4')
  expect(submit().textContent).toContain('and remove it')
  await press('1')
  expect(submit().textContent).not.toContain('remove it')
})
