/**
 * The cost of an uploaded picture before it is shown. A process with limits decodes, encodes and hashes the picture.
 * Then a thread computes the nudity score. The baseline is a plain decoding of the same bytes by sharp in this process.
 * Rounds are interleaved.
 *
 * Takes `--rounds=20`. The first picture of each kind also starts the process and the thread, so it is not counted.
 */
import { parseArgs } from 'node:util'
import { createSharpImageProcessor } from '@duet/server/integrations/images/sharp-images.ts'
import { createWorkerJudge } from '@duet/server/integrations/vision/worker-judge.ts'
import { decodedPixels, photoBytes } from '@duet/testkit/uploads.ts'
import { median } from './figures/median.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const ROUNDS = Number(values.rounds)
const SIZES = { 'a page’s picture (0.5 megapixels)': 800, 'a phone’s photo (12 megapixels)': 4000 }

const images = createSharpImageProcessor()
const judge = createWorkerJudge()

for (const [name, width] of Object.entries(SIZES)) await measure(name, width)
process.exit()

async function measure(name: string, width: number): Promise<void> {
  const bytes = await photoBytes(width)
  const times = { decode: [] as number[], encode: [] as number[], judge: [] as number[] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const decodeMs = await measureTime(() => decodedPixels(bytes))
    let sample: Uint8Array | undefined
    const encodeMs = await measureTime(async () => {
      const picture = await images.encode(bytes)
      if (picture === undefined || picture === 'busy') throw new Error('The picture was not read')
      ;({ sample } = picture)
    })
    const judgeMs = await measureTime(() => judge.judge(sample!))
    if (round === 0) continue
    times.decode.push(decodeMs)
    times.encode.push(encodeMs)
    times.judge.push(judgeMs)
  }
  const [decode, encode, score] = [times.decode, times.encode, times.judge].map(median) as [
    number,
    number,
    number,
  ]
  const ratio = (ms: number) => `${(ms / decode).toFixed(2)}x`
  console.log(`${name}, ${Math.round(bytes.length / 1024)} KB, ${ROUNDS} rounds, medians`)
  console.log(`  plain decoding             ${decode.toFixed(1)} ms`)
  console.log(`  sizes, sample and hashes   ${encode.toFixed(1)} ms, ${ratio(encode)}`)
  console.log(`  nudity score               ${score.toFixed(1)} ms, ${ratio(score)}`)
  console.log(
    `  the whole check            ${(encode + score).toFixed(1)} ms, ${ratio(encode + score)}`,
  )
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
