import { test } from 'node:test'
import { equal, notEqual } from 'node:assert/strict'
import { memoryStore } from './storage.ts'
import { claimTabId } from './tab-id.ts'

/** Locks that all are free, or that another tab holds. */
const locks = (lock: object | null) =>
  ({
    request: async (_name: string, _options: object, run: (lock: object | null) => unknown) =>
      void run(lock),
  }) as unknown as LockManager

test('a duplicated tab has an id of its own, and no call of the tab that it copies', async () => {
  const store = memoryStore()
  const own = await claimTabId(store, locks({}))
  store.setItem('duet.call_here', '7')
  equal(await claimTabId(store, locks({})), own)
  equal(store.getItem('duet.call_here'), '7')
  notEqual(await claimTabId(store, locks(null)), own)
  equal(store.getItem('duet.call_here'), null)
})
