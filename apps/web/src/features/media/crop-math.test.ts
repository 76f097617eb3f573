import { expect, test } from 'vitest'
import { firstCrop, moved, wholePixels, withZoom, zoomed, computeZoom } from './crop-math.ts'

const picture = { width: 1200, height: 800 }

test('the square never leaves the picture, whatever it is moved or enlarged by', () => {
  let crop = firstCrop(picture)
  let seed = 7
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  for (let step = 0; step < 2000; step += 1) {
    crop = moved(crop, picture, random() * 4 - 2, random() * 4 - 2)
    crop = zoomed(crop, picture, 0.2 + random() * 4, { across: random(), down: random() })
    const { x, y, size } = wholePixels(crop)
    expect(x >= 0 && y >= 0 && size >= 1).toBe(true)
    expect(x + size <= picture.width && y + size <= picture.height).toBe(true)
  }
})

test('the point under the pointer stays where it is while the picture is enlarged', () => {
  const before = { x: 300, y: 200, size: 400 }
  const after = zoomed(before, picture, 2, { across: 0.25, down: 0.75 })
  expect(after.x + 0.25 * after.size).toBe(before.x + 0.25 * before.size)
  expect(after.y + 0.75 * after.size).toBe(before.y + 0.75 * before.size)
})

test('zoom goes from the whole picture to the smallest square and back', () => {
  const first = firstCrop(picture)
  expect(computeZoom(first, picture)).toBe(0)
  const close = withZoom(first, picture, 1)
  expect([close.size, computeZoom(close, picture)]).toEqual([160, 1])
  expect(withZoom(close, picture, 0).size).toBe(800)
})

test('a picture smaller than the smallest square is taken whole', () => {
  const small = { width: 90, height: 60 }
  expect(withZoom(firstCrop(small), small, 1).size).toBe(60)
  expect(computeZoom(firstCrop(small), small)).toBe(0)
})
