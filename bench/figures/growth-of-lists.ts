import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import type { TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { median } from './median.ts'
import { countPages } from './pages-read.ts'

const ROUNDS = 15
const WARM_UP_ROUNDS = 5
const BARE = 'a bare query'
const DEFAULT_SIZES = '100,10000,100000'

export type Work = () => Promise<unknown>
type Works = Readonly<Record<string, Work>>

interface Measured {
  readonly pages: number
  readonly bare_queries: number
}

interface GrowingLists {
  readonly testApp: TestApp
  /** The rows that become more, and the name of the option with their numbers. */
  readonly rows: string
  /** Adds the rows after `from`, up to `to`. */
  readonly fill: (from: number, to: number) => Promise<void>
  readonly createRequests: () => Promise<Works>
}

/**
 * Measures requests with more and more rows: the pages of the database that a request reads (those in memory included), and its
 * time beside a bare query of the same moment. Of a few rows the database reads the whole table, so the last number is
 * compared with the number before. The numbers are the option `--<rows>=100,10000,100000`, each larger than the one before.
 */
export async function measureGrowth({
  testApp,
  rows,
  fill,
  createRequests,
}: GrowingLists): Promise<void> {
  const { values } = parseArgs({
    options: { [rows]: { type: 'string', default: DEFAULT_SIZES } },
  })
  const sizes = String(values[rows]).split(',').map(Number)
  const measured: Record<string, Measured>[] = []
  for (const [place, size] of sizes.entries()) {
    await fill(sizes[place - 1] ?? 0, size)
    measured.push(await measure(testApp, await createRequests()))
  }
  console.log(
    `  ${sizes.join(', then ')} ${rows}; each line: pages read, then bare queries of time`,
  )
  print(measured)
}

/** The place after this number of pages, or of the last page of a shorter list. */
export async function readPlace(
  user: TestUser,
  path: Parameters<TestUser['get']>[0],
  query: Record<string, string | number>,
  pages: number,
): Promise<string> {
  let after: string | undefined
  for (let page = 0; page < pages; page += 1) {
    const answer = await user.get(path, { ...query, ...(after && { after }) })
    after = (answer as { after?: string }).after ?? after
  }
  return after!
}

async function measure(testApp: TestApp, requests: Works): Promise<Record<string, Measured>> {
  const bare = () => testApp.app.db.selectFrom('users').selectAll().orderBy('id').limit(1).execute()
  const works: Works = { [BARE]: bare, ...requests }
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, [] as number[]]))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    // No limit of the rates is met.
    await testApp.advance('10 s')
    for (const [name, work] of Object.entries(works)) {
      const began = performance.now()
      await work()
      if (round >= 0) times[name]!.push(performance.now() - began)
    }
  }
  const nothing = await countPages(testApp, async () => {})
  const found: Record<string, Measured> = {}
  for (const [name, work] of Object.entries(works)) {
    await testApp.advance('10 s')
    const pages = Math.max(0, (await countPages(testApp, work)) - nothing)
    found[name] = { pages, bare_queries: median(times[name]!) / median(times[BARE]!) }
  }
  return found
}

function print(measured: readonly Record<string, Measured>[]): void {
  for (const name of Object.keys(measured[0]!)) {
    const pages = measured.map((found) => found[name]!.pages)
    const times = measured.map((found) => found[name]!.bare_queries.toFixed(1))
    const grown = pages.at(-1)! / Math.max(1, pages.at(-2) ?? 0)
    console.log(
      `  ${name}: ${pages.join(', then ')} pages = ${grown.toFixed(2)}x for the last (allowed 1.2x); ${times.join(', then ')} bare queries`,
    )
  }
}
