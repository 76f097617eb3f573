import { migrate } from '@duet/server/platform/database/migrate.ts'
import { openDatabase } from '@duet/server/platform/database/open.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { addSearcherRows } from '@duet/testkit/database/searcher-rows.ts'
import type { BenchMember } from '../sockets/members.ts'

export interface Searchers {
  readonly guys: readonly BenchMember[]
  readonly girls: readonly BenchMember[]
}

/** Makes a database with as many guys as girls who may search, as rows, and leaves it stopped. */
export async function makeSearchers(dataDir: string, pairs: number): Promise<Searchers> {
  const database = await openDatabase({ data_dir: dataDir })
  try {
    await migrate(database.connection)
    const guys = await addSearcherRows(database, 'guy', pairs)
    const girls = await addSearcherRows(database, 'girl', pairs)
    await runAsOwner(database, 'vacuum analyze')
    return { guys, girls }
  } finally {
    await database.stop()
  }
}
