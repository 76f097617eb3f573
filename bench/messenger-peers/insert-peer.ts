import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { type ComparedPeer, databaseCpuUs, TEXT } from './peer.ts'

/** The floor of the database: a statement and a commit for each text, with the same number of callers. */
export async function insertPeer(dataDir: string, users: number): Promise<ComparedPeer> {
  const embedded = await openEmbedded({ data_dir: dataDir })
  const { pool, stop } = attach(embedded.connection, { embedded })
  await pool.query('create table plain (id bigserial primary key, text text not null)')
  const insert = async () => {
    const began = performance.now()
    await pool.query('insert into plain (text) values ($1)', [TEXT])
    return performance.now() - began
  }
  return {
    name: 'plain INSERTs, no socket',
    says: Array.from({ length: users }, () => insert),
    cpuUs: async () => databaseCpuUs(dataDir),
    async finish() {
      const { rows } = await pool.query<{ count: number | string }>('select count(*) from plain')
      await stop()
      return Number(rows[0]!.count)
    },
  }
}
