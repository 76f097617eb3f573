import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { SAMPLE_SIDE } from '../images/images.ts'
import { createSharpImageProcessor } from '../images/sharp-images.ts'
import { MODEL_VERSION } from './nsfw-model.ts'
import type { Judgement } from './vision.ts'
import { createWorkerJudge } from './worker-judge.ts'

const SAMPLE = new Uint8Array(SAMPLE_SIDE * SAMPLE_SIDE * 3).fill(128)
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-vision-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** A thread that loads as the real one and then does what `body` says with each picture. */
async function fetchWorker(body: string): Promise<string> {
  const file = join(folder, `worker-${Math.random().toString(36).slice(2)}.mjs`)
  await writeFile(
    file,
    `import { parentPort as port } from 'node:worker_threads'
     import { existsSync, writeFileSync } from 'node:fs'
     const nudity = (nudity) => port.postMessage({ judgement: { nudity, model: 'm', version: '1' } })
     port.on('message', (sample) => { ${body} })
     port.postMessage({ ready: true })`,
  )
  return file
}

test('the model judges a picture as it came through the encoder, without a network', async () => {
  const judge = createWorkerJudge()
  const images = createSharpImageProcessor()
  for (const background of ['#ffffff', '#a4c', '#204060']) {
    const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
      .png()
      .toBuffer()
    const picture = await images.encode(bytes)
    ok(picture !== undefined && picture !== 'busy')
    equal(picture.sample.length, SAMPLE.length)
    const judgement = await judge.judge(picture.sample)
    ok(typeof judgement === 'object')
    deepEqual([judgement.model, judgement.version], ['MobileNetV2', MODEL_VERSION])
    ok(judgement.nudity >= 0 && judgement.nudity < 0.4, String(judgement.nudity))
    deepEqual(await judge.judge(picture.sample), judgement)
  }
})

test('the version that is stored with a score is the version of the package', async () => {
  const root = createRequire(import.meta.url).resolve('nsfwjs/models/mobilenet_v2')
  const manifest = await readFile(join(root, '../../../../package.json'), 'utf8')
  equal((JSON.parse(manifest) as { version: string }).version, MODEL_VERSION)
})

test('a picture that was lost with its thread is judged again in a new one', async () => {
  const mark = JSON.stringify(join(folder, 'died'))
  const worker = await fetchWorker(
    `if (existsSync(${mark})) nudity(0.25); else { writeFileSync(${mark}, ''); process.exit(1) }`,
  )
  const judge = createWorkerJudge({ worker })
  deepEqual(await judge.judge(SAMPLE), { nudity: 0.25, model: 'm', version: '1' })
})

test('a picture that ends two threads has no judgement, and the next one gets its own', async () => {
  const worker = await fetchWorker(
    'if (sample[0] === 1) throw new Error("broken"); else nudity(0.5)',
  )
  const judge = createWorkerJudge({ worker })
  equal(await judge.judge(Uint8Array.of(1)), 'failed')
  deepEqual(await judge.judge(Uint8Array.of(2)), { nudity: 0.5, model: 'm', version: '1' })
})

test('a thread that does not answer, or needs too much memory, is ended', async () => {
  const silent = createWorkerJudge({ worker: await fetchWorker('for (;;) {}'), answer_ms: 50 })
  equal(await silent.judge(SAMPLE), 'failed')
  const greedy = await fetchWorker(
    'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))',
  )
  equal(await createWorkerJudge({ worker: greedy }).judge(SAMPLE), 'failed')
})

test('a thread without pictures ends, and the next picture starts a new one', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const worker = await fetchWorker('globalThis.seen = (globalThis.seen ?? 0) + 1; nudity(seen)')
  const judge = createWorkerJudge({ worker, idle_ms: 1000 })
  const seen = async () => ((await judge.judge(SAMPLE)) as Judgement).nudity
  deepEqual([await seen(), await seen()], [1, 2])
  context.mock.timers.tick(999)
  equal(await seen(), 3)
  context.mock.timers.tick(1000)
  equal(await seen(), 1)
})

test('a thread that cannot start is not a fault of the picture', async () => {
  equal(
    await createWorkerJudge({ worker: join(folder, 'nothing.mjs') }).judge(SAMPLE),
    'unavailable',
  )
})

test('pictures above the length of the queue are not looked at', async () => {
  const judge = createWorkerJudge({ worker: await fetchWorker('nudity(0)'), waiting_max: 3 })
  const answers = await Promise.all(Array.from({ length: 6 }, () => judge.judge(SAMPLE)))
  equal(answers.filter((answer) => answer === 'busy').length, 2)
  ok(typeof (await judge.judge(SAMPLE)) === 'object')
})
