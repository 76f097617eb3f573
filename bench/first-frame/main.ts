/**
 * The time from "matched" to the first frame of the partner on both sides. First compares a bare cold RTCPeerConnection
 * with the product's engine, as a plain Next and over a prepared connection, interleaved in one run. Then measures the product alone in two browsers, from the press on
 * Next to the connection, the first decoded frame and the first painted frame. Prints figures and ratios, asserts
 * nothing.
 *
 * `--rounds=100`, `--rtt=50` (one round trip only), `--only=product` or `--only=engine`.
 */
import { parseArgs } from 'node:util'
import {
  blankPage,
  bundleEnginePage,
  meeting,
  openBrowser,
} from '../../tests/journeys/call-engine/two-pages.ts'
import { SlowLink } from '../../tests/journeys/call-engine/slow-link.ts'
import { bareColdFirstFrame } from './bare.ts'
import { engineFirstFrame } from './engine.ts'
import { openPreparedProduct, openProduct, type NextTimes, type SideTimes } from './product.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    rtt: { type: 'string', default: '50,0' },
    only: { type: 'string', default: '' },
  },
})
const rounds = Number(options.rounds)
/** A Next above this time is slow, even if the median is higher. */
const SLOW_MS = 2_000

for (const rttMs of options.rtt.split(',').map(Number)) {
  console.log(`round trip ${rttMs} ms, n = ${rounds}: median (p90), in ms`)
  if (options.only !== 'product') await compareEngine(rttMs)
  if (options.only === 'engine') continue
  await comparePrepared(rttMs)
  await measureProduct(rttMs)
}

async function compareEngine(rttMs: number) {
  const browser = await openBrowser()
  const script = await bundleEnginePage()
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
  const prepared: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await bareColdFirstFrame(page_a, page_b, rttMs))
    next.push(await engineFirstFrame(met, rttMs / 2))
    prepared.push(await engineFirstFrame(met, rttMs / 2, { isPrepared: true }))
  }
  const ofBare = median(bare)
  console.log('  from matched to both first frames:')
  console.log(`    bare cold connection     ${figure(bare)}  1.00`)
  console.log(`    engine, Next             ${figure(next)}  ${(median(next) / ofBare).toFixed(2)}`)
  console.log(
    `    engine, prepared         ${figure(prepared)}  ${(median(prepared) / ofBare).toFixed(2)}`,
  )
  console.log(
    `    engine, very first call  ${firstMs.toFixed(0).padStart(4)}        ${(firstMs / ofBare).toFixed(2)} (n = 1)`,
  )

  await met.close()
  await bareLink?.close()
  await browser.close()
}

/** The whole product over a prepared connection, beside bare connections of the same minute. */
async function comparePrepared(rttMs: number) {
  const browser = await openBrowser()
  const link =
    rttMs > 0 ? new SlowLink({ delay_ms: rttMs / 2, loss: 0, rate_bps: null }) : undefined
  const [pageA, pageB] = [await blankPage(browser), await blankPage(browser)]
  for (const page of [pageA, pageB]) await link?.attach(page)
  const product = await openPreparedProduct(rttMs)
  await bareColdFirstFrame(pageA, pageB, rttMs)
  await product.sayHello()
  const bare: number[] = []
  const prepared: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await bareColdFirstFrame(pageA, pageB, rttMs))
    prepared.push(await product.sayHello())
  }
  await product.close()
  await link?.close()
  await browser.close()
  const ratio = (median(prepared) / median(bare)).toFixed(2)
  console.log('  product, from Say hello on both sides to both painted frames:')
  console.log(`    bare cold connection     ${figure(bare)}  1.00`)
  console.log(`    product, prepared        ${figure(prepared)}  ${ratio}`)
}

async function measureProduct(rttMs: number) {
  const product = await openProduct(rttMs)
  await product.next()
  const times: NextTimes[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await product.next())
  await product.close()
  console.log('  product alone, from the press on Next (search, offer, call, media):')
  printSide('his', times)
  printSide('hers', times)
  const both = times.map(({ his, hers }) => Math.max(his.painted, hers.painted))
  const slow = both.filter((each) => each > SLOW_MS).map(Math.round)
  console.log(
    `    both painted             ${figure(both)}, highest ${Math.round(Math.max(...both))}`,
  )
  console.log(
    `    p90 is ${(quantile(both, 0.9) / median(both)).toFixed(2)} of the median; above ${SLOW_MS} ms: ${slow.length} of ${both.length} ${slow.join(' ')}`,
  )
}

function printSide(side: keyof NextTimes, times: NextTimes[]) {
  const of = (step: keyof SideTimes) => figure(times.map((each) => each[side][step]))
  const name = `${side} page`.padEnd(24)
  console.log(`    ${name} link ${of('link')}  decoded ${of('decoded')}  painted ${of('painted')}`)
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
