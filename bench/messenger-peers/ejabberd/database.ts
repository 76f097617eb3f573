import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEmbedded, serverSettings } from '@duet/server/platform/database/embedded/embedded.ts'
import type { Launcher } from '@duet/server/platform/database/embedded/postgres-launch.ts'
import { freePort } from '@duet/server/platform/database/embedded/socket-directory.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { answers, outputOf } from './answers.ts'

/** Of Debian's package `ejabberd`. */
export const SCHEMA = '/usr/share/ejabberd/sql/pg.sql'

/** Creates a cluster with ejabberd's own tables and users `user0`, `user1` and so on, and leaves it stopped. */
export async function createDatabase(
  folder: string,
  { users, password }: { readonly users: number; readonly password: string },
): Promise<void> {
  const embedded = await openEmbedded({ data_dir: folder })
  const { pool, stop } = attach(embedded.connection, { embedded })
  try {
    await pool.query(await readFile(SCHEMA, 'utf8'))
    await pool.query(
      `insert into users (username, password) select 'user' || n, $1 from generate_series(0, $2::integer - 1) n`,
      [password, users],
    )
    await pool.query('vacuum analyze users')
  } finally {
    await stop()
  }
}

export interface TcpDatabase {
  readonly port: number
  /** Rows of the archive: each message has one of its sender and one of its receiver. */
  archived(): Promise<number>
  stop(): Promise<void>
}

/** Starts the cluster with the settings of the product's, but on TCP: ejabberd's driver knows nothing else. */
export async function startDatabase(folder: string, launcher: Launcher): Promise<TcpDatabase> {
  const port = await freePort()
  const child = launcher.launch(launcher.binaries.postgres, [
    ...['-D', join(folder, 'db')],
    ...serverSettings({ host: '', port }, true),
    ...['-c', 'listen_addresses=127.0.0.1'],
  ])
  await answers(port, child, outputOf(child))
  const connection = { host: '127.0.0.1', port, user: 'duet', database: 'duet' }
  const { pool, stop } = attach(connection)
  return {
    port,
    archived: async () => {
      const { rows } = await pool.query<{ count: number | string }>('select count(*) from archive')
      return Number(rows[0]!.count)
    },
    async stop() {
      await stop()
      const gone = once(child, 'exit')
      child.kill('SIGINT')
      await gone
    },
  }
}
