import { expect, test } from 'vitest'
import { findSrcSet } from './src-set.ts'

test('every width has its address', () => {
  const variants = [
    { width: 120, url: '/media/a/small?viewer=1' },
    { width: 480, url: '/media/a/card?viewer=1' },
  ]
  expect(findSrcSet(variants)).toBe('/media/a/small?viewer=1 120w, /media/a/card?viewer=1 480w')
})

test('without widths there is no srcset', () => {
  expect([findSrcSet(undefined), findSrcSet([])]).toEqual([undefined, undefined])
})
