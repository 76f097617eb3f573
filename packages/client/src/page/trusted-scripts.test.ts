import { equal, throws } from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { ownAddress } from './trusted-scripts.ts'

const ORIGIN = 'https://duet.example'

beforeEach(() => Object.assign(globalThis, { location: new URL('/chat', ORIGIN) }))
afterEach(() => void Reflect.deleteProperty(globalThis, 'location'))

test('a worker is an address of this origin, and nothing that was made in the page', () => {
  for (const address of ['/push-worker.js', `${ORIGIN}/assets/worker.js`])
    equal(ownAddress(address), address)
  for (const address of [
    'https://evil.example/worker.js',
    '//evil.example/worker.js',
    'data:text/javascript,1',
    'javascript:1',
    `blob:${ORIGIN}/9a0b`,
  ])
    throws(() => ownAddress(address), /not trusted/, address)
})
