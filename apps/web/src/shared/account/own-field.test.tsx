import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { User } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../app-services.tsx'
import { createStore } from '../observable-store.ts'
import { useOwnField } from './own-field.ts'

let root: Root
let user: User
let answers: PromiseWithResolvers<object>[]
let change: (value: User['noty_email']) => void
const changed = createStore(0)

const connection = {
  subscribe: changed.subscribe,
  getSnapshot: () => snapshot,
  patchUser(part: Partial<User>) {
    user = { ...user, ...part }
    snapshot = { phase: 'ready', auth: { user } }
    changed.set(changed.getSnapshot() + 1)
  },
  act: () => {
    const answer = Promise.withResolvers<object>()
    answers.push(answer)
    return answer.promise
  },
}
let snapshot: { phase: string; auth: { user: User } }

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  answers = []
  user = { id: 1, noty_email: 'all' } as unknown as User
  snapshot = { phase: 'ready', auth: { user } }
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const services = { connection, report() {} } as unknown as AppServices
  act(() =>
    root.render(
      <AppServicesProvider services={services}>
        <Field />
      </AppServicesProvider>,
    ),
  )
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

function Field() {
  const [value, set] = useOwnField('noty_email')
  change = set
  return <p>{String(value)}</p>
}

const press = (value: unknown) => act(async () => change(value as User['noty_email']))
const refuse = (index: number) => act(async () => answers[index]!.reject(new Error('refused')))
const accept = (index: number) => act(async () => answers[index]!.resolve({}))
const shown = () => document.body.textContent

test('two changes that are refused leave what the server has', async () => {
  await press('important')
  await press('none')
  expect(shown()).toBe('none')
  await refuse(0)
  expect(shown()).toBe('none')
  await refuse(1)
  expect(shown()).toBe('all')
})

test('a refused change after an accepted one leaves the accepted one', async () => {
  await press('important')
  await press('none')
  await accept(0)
  await refuse(1)
  expect(shown()).toBe('important')
})
