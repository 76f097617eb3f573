/**
 * The time until a new visitor sees the landing page, and its cost. The built page from the product's server is
 * compared with a static minimal page, on a desktop and on an emulated phone. Then measures the time from a press on
 * the start button to the next step on a slow phone. Visits are interleaved, each with an empty cache. Figures are
 * medians. Prints ratios, asserts nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../../tests/journeys/call-engine/two-pages.ts'
import { buildWeb } from '../../tools/web-build.ts'
import { startProduct } from '../figures/measured-server.ts'
import { median } from '../figures/median.ts'
import { startFloor } from './floor.ts'
import { type PressVisit, visitAndPress } from './press.ts'
import { type Device, devices, visit, type Visit } from './visit.ts'

/** Single visits differ by a third, so fewer have no steady median. */
const ROUNDS = 11

const trouble = await buildWeb({ say: (line) => console.error(`duet: ${line}`) })
if (trouble !== undefined) throw new Error(trouble)
const dataDir = await mkdtemp(join(tmpdir(), 'duet-bench-landing-'))
const [product, floor, browser] = await Promise.all([
  startProduct(dataDir, { demo: true }),
  startFloor(),
  openBrowser(),
])
const productUrl = `http://127.0.0.1:${product.port}/`
try {
  const presses: PressVisit[] = []
  const addPress = async () => presses.push(await visitAndPress(browser, productUrl))
  for (const device of devices) await compare(device, addPress)
  printPresses(presses)
} finally {
  await browser.close()
  floor.stop()
  await product.stop()
  await rm(dataDir, { recursive: true, force: true })
}

function printPresses(presses: readonly PressVisit[]): void {
  const middle = (of: (seen: PressVisit) => number) => median(presses.map(of)).toFixed(0)
  const kb = (of: (seen: PressVisit) => number) =>
    `${(median(presses.map(of)) / 1024).toFixed(1)} KB`
  console.log(
    `press on the start button 3 s after the first paint, slow phone, n = ${presses.length}`,
  )
  console.log(
    `  next step after ${middle((seen) => seen.next_step_ms)} ms (must 300, aim 150); longest task ${middle((seen) => seen.longest_task_ms)} ms`,
  )
  console.log(
    `  ${middle((seen) => seen.before.script_files)} script files of ${kb((seen) => seen.before.script_bytes)} before the press, ${middle((seen) => seen.after.script_files)} of ${kb((seen) => seen.after.script_bytes)} at the next step`,
  )
}

async function compare(device: Device, addPress: () => Promise<unknown>): Promise<void> {
  const addresses = { floor: `http://127.0.0.1:${floor.port}/`, product: productUrl }
  const found: Record<keyof typeof addresses, Visit[]> = { floor: [], product: [] }
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const name of ['floor', 'product'] as const) {
      const seen = await visit(browser, addresses[name], device)
      // The first visit warms the browser and the server.
      if (round >= 0) found[name].push(seen)
    }
    if (round >= 0) await addPress()
  }
  const middle = (name: keyof typeof found, of: (seen: Visit) => number) =>
    median(found[name].map(of))
  const kb = (of: (seen: Visit) => number) => `${(middle('product', of) / 1024).toFixed(1)} KB`
  const lcpMs = middle('product', (seen) => seen.lcp_ms)
  const floorMs = middle('floor', (seen) => seen.lcp_ms)
  console.log(`${device.name}, n = ${ROUNDS}`)
  console.log(
    `  largest paint ${lcpMs.toFixed(0)} ms = ${(lcpMs / floorMs).toFixed(2)}x of a static floor page (${floorMs.toFixed(0)} ms); it is: ${found.product[0]!.largest}`,
  )
  console.log(
    `  until then ${kb((seen) => seen.bytes.script_until_lcp)} of script (must 60, aim 0) of ${kb((seen) => seen.bytes.until_lcp)} in all; later ${kb((seen) => seen.bytes.script)} of script of ${kb((seen) => seen.bytes.all)}`,
  )
  console.log(
    `  layout shift ${middle('product', (seen) => seen.cls).toFixed(3)} (must 0.02, aim 0), blocked ${middle('product', (seen) => seen.tbt_ms).toFixed(0)} ms (must 60, aim 30; floor ${middle('floor', (seen) => seen.tbt_ms).toFixed(0)})`,
  )
}
