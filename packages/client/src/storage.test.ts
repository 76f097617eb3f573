import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStore, persistence, type KeyValueStore } from './storage.ts'

const forbidden: KeyValueStore = {
  getItem: () => {
    throw new Error('forbidden')
  },
  setItem: () => {
    throw new Error('forbidden')
  },
  removeItem: () => {
    throw new Error('forbidden')
  },
}

test('what is kept is read back by the next page, and forgotten when it is taken away', () => {
  const store = memoryStore()
  persistence(store).set('token', 'abc')
  equal(persistence(store).get('token'), 'abc')
  persistence(store).set('token', undefined)
  equal(persistence(store).get('token'), undefined)
})

test('a browser that forbids storage keeps values for as long as the page lives', () => {
  const kept = persistence(forbidden)
  kept.set('chat_count', 3)
  equal(kept.get('chat_count'), 3)
  kept.set('chat_count', undefined)
  equal(kept.get('chat_count'), undefined)
})

test('a value that somebody else wrote there is no value', () => {
  const store = memoryStore()
  store.setItem('duet.token', '{broken')
  equal(persistence(store).get('token'), undefined)
})
