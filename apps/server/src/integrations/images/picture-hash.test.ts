import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { patternBytes } from '@duet/testkit/uploads.ts'
import { createSharpImageProcessor } from './sharp-images.ts'
import type { PictureHashes } from './picture-hash.ts'

const images = createSharpImageProcessor()

async function computeHashes(bytes: Uint8Array): Promise<PictureHashes | undefined> {
  const picture = await images.encode(bytes)
  ok(picture !== undefined && picture !== 'busy')
  return picture.hashes
}

function distance(one: string, other: string): number {
  let difference = BigInt(`0x${one}`) ^ BigInt(`0x${other}`)
  let bits = 0
  for (; difference > 0n; difference >>= 1n) bits += Number(difference & 1n)
  return bits
}

test('a picture that is scaled, compressed again, brightened, cropped a little or in grey keeps its hash nearly', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const original = await patternBytes(seed)
    const { hash } = (await computeHashes(original))!
    const changes: Record<string, (image: Sharp) => Sharp> = {
      smaller: (image) => image.resize(300),
      'other proportions': (image) => image.resize(500, 500, { fit: 'fill' }),
      'compressed again': (image) => image.jpeg({ quality: 25 }),
      brighter: (image) => image.modulate({ brightness: 1.15 }),
      grey: (image) => image.greyscale(),
      cropped: (image) => image.extract({ left: 8, top: 6, width: 784, height: 588 }),
    }
    for (const [name, change] of Object.entries(changes)) {
      const changed = (await computeHashes(
        await change(sharp(original)).toFormat('jpeg').toBuffer(),
      ))!
      const bits = distance(hash, changed.hash)
      ok(bits <= 31, `${name} of ${seed}: ${bits} bits`)
    }
  }
})

test('a mirrored picture has the mirrored hash of the original', async () => {
  const original = await patternBytes(7)
  const { hash, mirrored } = (await computeHashes(original))!
  const flopped = (await computeHashes(await sharp(original).flop().jpeg().toBuffer()))!
  ok(distance(mirrored, flopped.hash) <= 8)
  ok(distance(hash, flopped.hash) > 80)
})

test('different pictures are far from each other', async () => {
  const hashes = await Promise.all(
    Array.from(
      { length: 12 },
      async (_, seed) => (await computeHashes(await patternBytes(seed)))!.hash,
    ),
  )
  for (const one of hashes)
    for (const other of hashes)
      ok(one === other || distance(one, other) > 80, String(distance(one, other)))
  equal(new Set(hashes).size, 12)
})

test('a picture without edges has no hash: it would be like every other one', async () => {
  const flat = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#a4c' } })
    .png()
    .toBuffer()
  equal(await computeHashes(flat), undefined)
})
