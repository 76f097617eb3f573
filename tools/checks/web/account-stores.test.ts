import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTree } from '../../tree.ts'
import { ACCOUNT_STORE_FILES, accountStoreComplaints } from './account-stores.ts'

const complaintsAbout = (path: string, text: string) =>
  accountStoreComplaints(new Map([...readTree(ACCOUNT_STORE_FILES), [path, text]]))

test('refuses a store that another account could read, at the top of a module and inside a factory', () => {
  const path = 'apps/web/src/features/gifts/gifts-store.ts'
  for (const text of [
    '\nexport const gifts = createStore<string[]>([])\n',
    '\nexport const createGifts = () => createStore([])\n',
  ])
    assert.match(complaintsAbout(path, text)[0]!, /gifts-store\.ts:2: createAccountStore/)
})

test('accepts account stores, stores of tests and the listed stores of the device', () => {
  assert.deepEqual(
    complaintsAbout('apps/web/src/features/gifts/gifts-store.ts', 'createAccountStore([])'),
    [],
  )
  assert.deepEqual(
    complaintsAbout('apps/web/src/features/gifts/gifts.test.ts', 'createStore([])'),
    [],
  )
})

test('refuses a listed file that creates no store any more', () => {
  assert.match(complaintsAbout('apps/web/src/shared/sound.ts', '')[0]!, /sound\.ts: is listed/)
})
