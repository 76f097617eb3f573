import { doesNotThrow, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { createUploadMemory } from './upload-memory.ts'

test('uploads that arrive together share a bound of memory, which each gives back once', () => {
  const memory = createUploadMemory(100)
  const release = memory.reserve(60)
  throws(() => memory.reserve(41), /Too many/)
  memory.reserve(40)
  release()
  release()
  throws(() => memory.reserve(61), /Too many/)
  doesNotThrow(() => memory.reserve(60))
})
