import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundledBinaries } from '@duet/server/platform/database/embedded/postgres-binaries.ts'
import { launcherFor } from '@duet/server/platform/database/embedded/postgres-launch.ts'
import { freePort } from '@duet/server/platform/database/embedded/socket-directory.ts'
import { databaseUser } from '@duet/server/platform/database/embedded/system-user.ts'
import { processCpuMs } from '../../figures/machine-time.ts'
import { databaseCpuUs } from '../peer.ts'
import { answers, outputOf } from './answers.ts'
import { createDatabase, SCHEMA, startDatabase } from './database.ts'

/** Of Debian's packages `ejabberd` and `erlang-p1-pgsql`. */
const ERLANG = '/usr/bin/erl'
const DRIVER = '/usr/share/doc/erlang-p1-pgsql'
const LIBRARIES = '/usr/lib/x86_64-linux-gnu'

export const HOST = 'localhost'
export const PASSWORD = 'bench'

export interface EjabberdServer {
  readonly port: number
  /** Rows of the archive: each message has one of its sender and one of its receiver. */
  archived(): Promise<number>
  /** Of the server and its database. */
  cpuUs(): Promise<number>
  stop(): Promise<void>
}

export function isInstalled(): boolean {
  return [ERLANG, SCHEMA, DRIVER].every((path) => existsSync(path))
}

/** Starts ejabberd and a PostgreSQL of its own; both run under the account of the product's database and end with this process. */
export async function startEjabberd(folder: string, users: number): Promise<EjabberdServer> {
  await mkdir(folder)
  await createDatabase(folder, { users, password: PASSWORD })
  const launcher = launcherFor(bundledBinaries(), folder, databaseUser())
  const database = await startDatabase(folder, launcher)
  const port = await freePort()
  const own = join(folder, 'ejabberd')
  await mkdir(own)
  if (launcher.user) await chown(own, launcher.user.uid, launcher.user.gid)
  const config = join(own, 'ejabberd.yml')
  await writeFile(config, configOf(port, database.port))
  // A node without a name opens no port for other nodes.
  const child = launcher.launch('env', [
    ...[`ERL_LIBS=${LIBRARIES}`, `HOME=${own}`],
    ...[`EJABBERD_CONFIG_PATH=${config}`, `EJABBERD_LOG_PATH=${join(own, 'ejabberd.log')}`],
    ...[ERLANG, '+K', 'true', '+P', '250000', '-noinput', '-mnesia', 'dir', `"${own}/mnesia"`],
    ...['-s', 'ejabberd'],
  ])
  await answers(port, child, outputOf(child))
  return {
    port,
    archived: database.archived,
    cpuUs: async () => processCpuMs(child.pid!) * 1000 + (await databaseCpuUs(folder)),
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      await database.stop()
    },
  }
}

/**
 * The archive and what carries it; everything else of ejabberd is off, in its favour. No encryption, as the product has none on
 * loopback: its packets are encrypted by the product itself. No limits of rates, as a bench sends more than a person.
 */
function configOf(port: number, databasePort: number): string {
  return JSON.stringify({
    hosts: [HOST],
    loglevel: 'error',
    listen: [{ port, ip: '127.0.0.1', module: 'ejabberd_c2s' }],
    default_db: 'sql',
    auth_method: 'sql',
    sql_type: 'pgsql',
    sql_server: '127.0.0.1',
    sql_port: databasePort,
    sql_database: 'duet',
    sql_username: 'duet',
    sql_password: '',
    modules: {
      mod_mam: { default: 'always', db_type: 'sql' },
      mod_offline: {},
      mod_stream_mgmt: {},
    },
  })
}
