/**
 * From "matched" to the first frame of the other on both sides (goals 1 and 2): a bare cold RTCPeerConnection and the product's
 * engine, and from the press on Next to the next partner's frame in the product itself, interleaved in one run, with a round trip of 50 ms between page and server and without. Prints ratios, asserts nothing.
 */
import {
  blankPage,
  bundleEnginePage,
  meeting,
  openBrowser,
} from '../../tests/journeys/call-engine/two-pages.ts'
import { SlowLink } from '../../tests/journeys/call-engine/slow-link.ts'
import { bareColdFirstFrame } from './bare.ts'
import { engineFirstFrame } from './engine.ts'
import { openProduct } from './product.ts'

const ROUNDS = 15

const browser = await openBrowser()
const script = await bundleEnginePage()
for (const rttMs of [50, 0]) await compare(rttMs)
await browser.close()

async function compare(rttMs: number) {
  const weather = { delay_ms: rttMs / 2, loss: 0, rate_bps: null }
  const link = () => (rttMs > 0 ? new SlowLink(weather) : undefined)
  const bareLink = link()
  const [page_a, page_b] = [await blankPage(browser), await blankPage(browser)]
  for (const page of [page_a, page_b]) await bareLink?.attach(page)
  const met = await meeting(browser, script, { link: link(), hop_ms: rttMs / 2 })

  const firstMs = await engineFirstFrame(met, rttMs / 2)
  await bareColdFirstFrame(page_a, page_b, rttMs)
  const bare: number[] = []
  const next: number[] = []
  const whole: number[] = []
  const product = await openProduct(rttMs)
  await product.next()
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await bareColdFirstFrame(page_a, page_b, rttMs))
    next.push(await engineFirstFrame(met, rttMs / 2))
    whole.push(await product.next())
  }
  const ofBare = median(bare)
  console.log(
    `round trip ${rttMs} ms, n = ${ROUNDS}, ms from matched to both first frames: median (p90)`,
  )
  console.log(`  bare cold connection      ${figure(bare)}  1.00`)
  console.log(`  engine, Next              ${figure(next)}  ${(median(next) / ofBare).toFixed(2)}`)
  console.log(
    `  product, Next pressed     ${figure(whole)}  ${(median(whole) / ofBare).toFixed(2)} (search, offer, call, media)`,
  )
  console.log(
    `  engine, very first call   ${firstMs.toFixed(0).padStart(4)}        ${(firstMs / ofBare).toFixed(2)} (n = 1)`,
  )

  await product.close()
  await met.close()
  await Promise.all([page_a, page_b].map((page) => page.context().close()))
  await bareLink?.close()
}

function median(values: number[]): number {
  return quantile(values, 0.5)
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

function figure(values: number[]): string {
  return `${median(values).toFixed(0).padStart(4)} (${quantile(values, 0.9).toFixed(0)})`
}
