import { expect, test } from 'vitest'
import { ownAddress } from './trusted-scripts.ts'

test('a worker is an address of this origin, and nothing that was made in the page', () => {
  for (const address of ['/push-worker.js', `${location.origin}/assets/worker.js`])
    expect(ownAddress(address)).toBe(address)
  for (const address of [
    'https://evil.example/worker.js',
    '//evil.example/worker.js',
    'data:text/javascript,1',
    'javascript:1',
    `blob:${location.origin}/9a0b`,
  ])
    expect(() => ownAddress(address), address).toThrow('not trusted')
})
