import { execFileSync } from 'node:child_process'
import pg from 'pg'
import type { EmbeddedDatabase } from '@duet/server/platform/database/embedded/embedded.ts'
import { databaseCpuMs } from '../figures/machine-time.ts'

const SCALE = 10
const CLIENTS = 8
const ROUND_S = 4

/** pgbench's TPC-B on this cluster. Each round adds the time of a transaction and the database's CPU time in it. */
export async function createTpcb(embedded: EmbeddedDatabase) {
  const { connection } = embedded
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('create database tpcb')
  await client.end()
  const pgbench = (...args: string[]) =>
    execFileSync(
      'pgbench',
      [
        '-h',
        connection.host,
        '-p',
        String(connection.port),
        '-U',
        connection.user,
        ...args,
        'tpcb',
      ],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    )
  pgbench('-i', '-q', '-s', String(SCALE))
  const wallUs: number[] = []
  const cpuUs: number[] = []
  return {
    wall_us: wallUs,
    cpu_us: cpuUs,
    round(): void {
      const before = databaseCpuMs(embedded.pid())
      const output = pgbench('-n', '-c', String(CLIENTS), '-j', '2', '-T', String(ROUND_S))
      const perSecond = Number(/tps = ([\d.]+)/.exec(output)![1])
      const transactions = Number(/actually processed: (\d+)/.exec(output)![1])
      wallUs.push(1e6 / perSecond)
      cpuUs.push(((databaseCpuMs(embedded.pid()) - before) * 1000) / transactions)
    },
  }
}
