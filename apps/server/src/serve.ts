import { createServer } from 'node:net'
import { createServer as createHttpServer } from 'node:http'
import { createApp, type RunningApp } from './create-app.ts'
import { type Config, readConfig } from './config.ts'
import { commandsOf, runCommand } from './platform/operator/commands.ts'
import { ownCommands } from './platform/operator/own-commands.ts'
import { openShell } from './platform/operator/shell-server.ts'
import { migrate } from './platform/database/migrate.ts'
import { type Database, openDatabase } from './platform/database/open.ts'
import { restoreDatabase } from './platform/database/backup/restore-database.ts'
import { StartRefused } from './platform/database/start-refused.ts'
import { createLog } from './platform/log.ts'

type Say = (line: string) => void

/** One process of the product, from the environment to the signal that ends it. */
export async function serve(
  env: NodeJS.ProcessEnv,
  say: Say,
): Promise<{ stop(): Promise<void>; config: Config }> {
  const config = readConfig(env)
  for (const warning of config.warnings) say(warning)
  const log = createLog(config)
  await refuseTakenPort(config)
  const open = async () => {
    say(
      config.database_url === undefined
        ? `opening the embedded database in ${config.data_dir} …`
        : 'connecting to the database …',
    )
    return openDatabase({
      url: config.database_url,
      data_dir: config.data_dir,
      log,
      pool_max: config.pool_max,
    })
  }
  let database = await open()
  let running: RunningApp
  const raise = async (on: Database) => {
    const { applied } = await migrate(on.connection, { log })
    if (applied.length > 0) say(`migrated: ${applied.at(-1)} is the newest of ${applied.length}`)
    const made = await createApp({ config, database: on, log })
    try {
      await made.start()
    } catch (error) {
      await made.kill()
      throw error
    }
    return made
  }
  try {
    running = await raise(database)
  } catch (error) {
    await database.stop()
    throw inWords(error, config)
  }

  const commands = () =>
    commandsOf(
      running.modules,
      ownCommands({
        book: () => running.registry,
        database: () => database,
        commands,
        async restore(file) {
          await running.stop()
          await database.stop()
          database = await open()
          try {
            return await restoreDatabase(database, config.database_url, file)
          } finally {
            running = await raise(database)
          }
        },
      }),
    )
  const shell = await openShell(config.data_dir, ({ line, cwd }) =>
    runCommand(running.app, commands(), line, cwd),
  )
  const metrics = await openMetrics(config, () => running)
  return {
    config,
    async stop() {
      await shell.close()
      await running.stop()
      metrics?.close()
      await database.stop()
    },
  }
}

/** Said before the database is opened: nothing is more annoying than waiting for a refusal. */
async function refuseTakenPort({ host, port }: Config): Promise<void> {
  if (port === 0) return
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(port, host, resolve)
  }).catch((error: unknown) => {
    throw inWords(error, { host, port })
  })
  await new Promise((resolve) => probe.close(resolve))
}

function inWords(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const { code } = (error ?? {}) as { code?: string }
  if (code === 'EADDRINUSE')
    return new StartRefused(
      `Port ${port} is taken by another program: stop it, or set PORT to another one.`,
    )
  if (code === 'EACCES')
    return new StartRefused(
      `Port ${port} may not be used by this account: set PORT to one above 1023.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartRefused(`HOST ${host} is no address of this machine.`)
  return error
}

/** For Prometheus on the same machine; never on the public port. */
async function openMetrics({ metrics_port }: Config, running: () => RunningApp) {
  if (metrics_port === 0) return undefined
  const server = createHttpServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    const { registry } = running().app.metrics
    void registry
      .metrics()
      .then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(metrics_port, '127.0.0.1', resolve)
  }).catch(() => {
    throw new StartRefused(
      `METRICS_PORT ${metrics_port} is taken by another program: set it to another one.`,
    )
  })
  return server
}
