import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type * as faceApi from '@vladmandic/face-api'
import sharp, { type Sharp } from 'sharp'
import { createSharpImageProcessor } from '../images/sharp-images.ts'
import { loadFaceModel } from './face-model.ts'
import { FACE_DISTANCE_MAX, faceDistance, type FaceNumbers } from './faces.ts'
import { createWorkerFaces } from './worker-faces.ts'

/** Photographs of the library's package. */
const SAMPLES = join(
  dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api')),
  '../demo',
)
const photograph = (file: string) => sharp(readFileSync(join(SAMPLES, file)))
const { decode } = createSharpImageProcessor()
const { look } = createWorkerFaces({ idle_ms: 1000 })

/** One person of a photograph, with some of what is around the face. */
const person = (file: string, left: number, top: number, side: number) =>
  photograph(file).extract({ left, top, width: side, height: side })
const woman = (shift: number, side: number) =>
  person('sample6.jpg', 1320 + shift, 190 + shift, side)
const OTHERS = [person('sample6.jpg', 465, 225, 580), person('sample3.jpg', 370, 220, 600)]

async function see(image: Sharp) {
  return look((await decode(await image.webp().toBuffer(), 512))!)
}

async function seeOne(image: Sharp): Promise<FaceNumbers> {
  const found = await see(image)
  ok(typeof found === 'object', String(found))
  return found
}

test('one person matches in another crop, mirrored, brighter and compressed; other persons do not', async () => {
  const stored = await seeOne(woman(0, 560))
  equal(stored.face.length, 128)
  const distances = []
  for (const form of [
    woman(25, 500),
    woman(0, 560).flop(),
    woman(0, 560).modulate({ brightness: 1.3 }),
    sharp(await woman(0, 560).resize(200).jpeg({ quality: 40 }).toBuffer()),
  ])
    distances.push(faceDistance((await seeOne(form)).face, stored))
  ok(Math.max(...distances) < FACE_DISTANCE_MAX, distances.join(' '))
  for (const other of OTHERS) {
    const distance = faceDistance((await seeOne(other)).face, stored)
    ok(distance > FACE_DISTANCE_MAX + 0.1, String(distance))
  }
})

test('a picture without a face, and one with several faces, have no numbers', async () => {
  const plain = sharp({ create: { width: 300, height: 200, channels: 3, background: '#a4c' } })
  deepEqual([await see(plain), await see(photograph('sample6.jpg').resize(800))], ['none', 'many'])
})

test('the faces of a crowd are counted only: no step that takes time for each is done', async ({
  mock,
}) => {
  const lookHere = await loadFaceModel()
  const { nets } = createRequire(import.meta.url)(
    '@vladmandic/face-api/dist/face-api.node-wasm.js',
  ) as typeof faceApi
  const steps = [
    mock.method(nets.faceLandmark68Net, 'detectLandmarks').mock,
    mock.method(nets.faceRecognitionNet, 'computeFaceDescriptor').mock,
  ]
  const counts = () => steps.map((step) => step.callCount())
  const pixels = async (image: Sharp) => (await decode(await image.webp().toBuffer(), 512))!
  equal(await lookHere(await pixels(photograph('sample6.jpg').resize(800))), 'many')
  deepEqual(counts(), [0, 0])
  equal(typeof (await lookHere(await pixels(woman(0, 560)))), 'object')
  deepEqual(counts(), [2, 2])
})
