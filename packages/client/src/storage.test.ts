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

test('a stored value is read by the next page until it is removed', () => {
  const store = memoryStore()
  persistence(store).set('token', 'abc')
  equal(persistence(store).get('token'), 'abc')
  persistence(store).set('token', undefined)
  equal(persistence(store).get('token'), undefined)
})

test('keeps values as long as the page lives where the browser forbids storage', () => {
  const stored = persistence(forbidden)
  stored.set('chat_count', 3)
  equal(stored.get('chat_count'), 3)
  stored.set('chat_count', undefined)
  equal(stored.get('chat_count'), undefined)
})

test('a value that a full store refuses is read back, and the value before it is not', () => {
  const store = memoryStore()
  persistence(store).set('token', 'before')
  const full: KeyValueStore = {
    ...store,
    setItem: () => {
      throw new Error('quota')
    },
  }
  const stored = persistence(full)
  stored.set('token', 'rotated')
  equal(stored.get('token'), 'rotated')
  equal(persistence(store).get('token'), undefined)
})

test('ignores a value that is no JSON', () => {
  const store = memoryStore()
  store.setItem('duet.token', '{broken')
  equal(persistence(store).get('token'), undefined)
})
