import { createServer } from 'node:net'
import type { Logger } from 'pino'
import { createServer as createHttpServer } from 'node:http'
import { createApp, type RunningApp } from './create-app.ts'
import { type Config, readConfig } from './config.ts'
import { collectCommands, runCommand } from './platform/operator/commands.ts'
import { ownCommands } from './platform/operator/own-commands.ts'
import { openShell } from './platform/operator/shell-server.ts'
import { startPaymentStandIn } from './integrations/payments/stand-in/stand-in.ts'
import { migrate } from './platform/database/migrate.ts'
import { type Database, openDatabase } from './platform/database/open.ts'
import { restoreDatabase } from './platform/database/backup/restore-database.ts'
import { StartRefused } from './lib/configuration/start-refused.ts'
import { createLog } from './platform/log.ts'

/** One running server: what a restore replaces while the process goes on. */
interface Instance {
  database: Database
  running: RunningApp
}

type Print = (line: string) => void

/**
 * Starts one process of the product from its environment.
 *
 * @throws StartRefused with one sentence for the operator when something about the environment is wrong
 */
export async function startServer(
  env: NodeJS.ProcessEnv,
  print: Print,
): Promise<{ stop(): Promise<void>; config: Config }> {
  const config = readConfig(env)
  for (const warning of config.warnings) print(warning)
  const log = createLog(config)
  await refuseTakenPort(config)
  const instance = await startInstance(config, log, print)
  const shell = await openShell(config.data_dir, ({ line, cwd }) =>
    runCommand(instance.running.app, commandsFor(instance, config, log, print), line, cwd),
  )
  const metrics = await openMetrics(config, () => instance.running)
  const standIn = await openStandIn(config, print)
  return {
    config,
    async stop() {
      // The database stops in any case: an embedded PostgreSQL must not outlive this process.
      try {
        await shell.close()
        await instance.running.stop()
        metrics?.close()
        await standIn?.close()
      } finally {
        await instance.database.stop()
      }
    },
  }
}

async function startInstance(config: Config, log: Logger, print: Print): Promise<Instance> {
  const database = await openConfigured(config, log, print)
  try {
    return { database, running: await startApp(config, database, log, print) }
  } catch (error) {
    await database.stop()
    throw asStartRefused(error, config)
  }
}

function openConfigured(config: Config, log: Logger, print: Print): Promise<Database> {
  const { database_url: url, data_dir, pool_max } = config
  print(
    url === undefined
      ? `opening the embedded database in ${data_dir} …`
      : 'connecting to the database …',
  )
  return openDatabase({ url, data_dir, log, pool_max })
}

async function startApp(
  config: Config,
  database: Database,
  log: Logger,
  print: Print,
): Promise<RunningApp> {
  const { applied } = await migrate(database.connection, { log })
  if (applied.length > 0) print(`migrated: ${applied.at(-1)} is the newest of ${applied.length}`)
  const running = await createApp({ config, database, log })
  try {
    await running.start()
  } catch (error) {
    await running.kill()
    throw error
  }
  return running
}

/** The operator's commands: those of the modules and those that need the process itself. */
function commandsFor(
  instance: Instance,
  config: Config,
  log: Logger,
  print: Print,
): ReturnType<typeof collectCommands> {
  const commands = () => commandsFor(instance, config, log, print)
  return collectCommands(
    instance.running.modules,
    ownCommands({
      contractRegistry: () => instance.running.registry,
      database: () => instance.database,
      commands,
      async restore(file, options) {
        await instance.running.stop()
        await instance.database.stop()
        instance.database = await openConfigured(config, log, print)
        try {
          return await restoreDatabase(instance.database, config.database_url, file, options)
        } finally {
          instance.running = await startApp(config, instance.database, log, print)
        }
      },
    }),
  )
}

/** Checked before the database is opened, so that the operator does not wait for the refusal. */
async function refuseTakenPort({ host, port }: Config): Promise<void> {
  if (port === 0) return
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(port, host, resolve)
  }).catch((error: unknown) => {
    throw asStartRefused(error, { host, port })
  })
  await new Promise((resolve) => probe.close(resolve))
}

function asStartRefused(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
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

/** The providers of payments of the demo installation. A taken port leaves the demo without a shop. */
async function openStandIn({ payment_stand_in, host, origins }: Config, print: Print) {
  if (!payment_stand_in) return undefined
  const { port, origin } = payment_stand_in
  return startPaymentStandIn({
    port,
    host,
    public_origin: origin,
    notified_origin: () => origins[0]!,
  }).catch(() => {
    print(`port ${port} is taken: nothing can be bought in this demo; set DEMO_PAYMENTS_PORT`)
    return undefined
  })
}

/** Metrics for Prometheus on the same machine; never on the public port. */
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
