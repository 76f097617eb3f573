/**
 * The cost of a page of 20 people: `interlocutors` with the public fields of all modules. The baseline is one bare
 * query for the same rows in the same run. Rounds are interleaved; figures are medians.
 *
 *     node bench/public-fields.ts
 */
import { performance } from 'node:perf_hooks'
import { interlocutors } from '@duet/server/modules/identity/index.ts'
import { addMember } from '@duet/server/modules/profile/index.ts'
import { openTestApp, type TestApp } from '@duet/testkit/test-app.ts'

const PAGE_SIZE = 20
const ROUNDS = 9
const PAGES_PER_ROUND = 100

const testApp = await openTestApp()
try {
  await measure(testApp)
} finally {
  await testApp.close()
}

async function measure({ app, database }: TestApp): Promise<void> {
  const ids = await addPeople(app)
  const viewerId = ids[0]!
  const bare = () => app.db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
  const page = () => interlocutors(app, app.db, viewerId, ids)
  await page()

  let queries = 0
  const count = () => void (queries += 1)
  database.pool.on('acquire', count)
  await page()
  database.pool.off('acquire', count)

  const figures = { bare: [] as number[], page: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    figures.bare.push(await measureTime(bare))
    figures.page.push(await measureTime(page))
  }
  const [bareMs, pageMs] = [median(figures.bare), median(figures.page)]
  console.log(`  one bare query for ${PAGE_SIZE} rows   ${bareMs.toFixed(2)} ms`)
  console.log(
    `  a page of ${PAGE_SIZE} people          ${pageMs.toFixed(2)} ms, ${queries} queries = ${(pageMs / bareMs).toFixed(1)}x one bare query`,
  )
}

async function addPeople(app: TestApp['app']): Promise<number[]> {
  const ids: number[] = []
  for (let index = 0; index < PAGE_SIZE; index += 1) {
    const { id } = await addMember(app, {
      role: 'girl',
      nick: `Girl${index}`,
      email: `girl${index}@duet.example`,
      password: 'secret-of-the-bench',
      verified: true,
      avatar: 'demo',
    })
    ids.push(id)
  }
  return ids
}

/** Milliseconds per run, one after the other. */
async function measureTime(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  for (let index = 0; index < PAGES_PER_ROUND; index += 1) await run()
  return (performance.now() - began) / PAGES_PER_ROUND
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!
}
