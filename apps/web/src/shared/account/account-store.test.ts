import { expect, test, vi } from 'vitest'
import { changeAccount, createAccountStore, onOtherAccount } from './account-store.ts'

test('an account store returns to its initial state when another account signs in, and notifies its listeners', () => {
  const store = createAccountStore<readonly string[]>([])
  const seen: (readonly string[])[] = []
  store.set(['of Anna'])
  store.subscribe(() => seen.push(store.getSnapshot()))
  changeAccount(2)
  expect([store.getSnapshot(), seen]).toEqual([[], [[]]])
})

test('an account store may begin with what is stored for the account', () => {
  const store = createAccountStore('drafts of 1', (user_id) => store.set(`drafts of ${user_id}`))
  changeAccount(2)
  expect(store.getSnapshot()).toBe('drafts of 2')
})

test('a store that cannot be emptied is reported and leaves no other store full', () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  const failure = new Error('broken')
  const forget = onOtherAccount(() => {
    throw failure
  })
  const store = createAccountStore(0)
  store.set(1)
  changeAccount(undefined)
  expect([store.getSnapshot(), reported]).toEqual([0, [failure]])
  forget()
  changeAccount(undefined)
  expect(reported).toHaveLength(1)
  vi.unstubAllGlobals()
})
