import { join } from 'node:path'
import type { Config } from './config.ts'
import { createFolderStorage } from './integrations/storage/folder-storage.ts'
import { modules } from './modules.ts'
import { createContractRegistry } from './platform/dispatch/contract-registry.ts'
import {
  parseArguments,
  CommandRefused,
  findCommand,
  type Outcome,
} from './platform/operator/commands.ts'
import { diagnose } from './platform/operator/doctor.ts'
import { fileIn, restoreOptionsIn } from './platform/operator/own-commands.ts'
import type { ShellRequest } from './platform/operator/shell-client.ts'
import { backupTo } from './platform/database/backup/backup.ts'
import { type Database, openDatabase } from './platform/database/open.ts'
import { restoreDatabase } from './platform/database/backup/restore-database.ts'
import { StartRefused } from './lib/configuration/start-refused.ts'
import type { CommandArguments } from './core/module.ts'

type Run = (config: Config, given: CommandArguments) => Promise<unknown>

/** The commands that work without a running server; each opens the database and closes it again. */
const commands: ReadonlyMap<string, Run> = new Map<string, Run>([
  ['doctor', examineStopped],
  [
    'backup',
    (config, { words, cwd }) =>
      withDatabase(config, ({ connection }) =>
        backupTo(connection, fileIn(cwd, words), { recipients: config.backup_recipients }),
      ),
  ],
  [
    'restore',
    async (config, given) => {
      const options = await restoreOptionsIn(given)
      return withDatabase(config, (database) =>
        restoreDatabase(database, config.database_url, fileIn(given.cwd, given.words), options),
      )
    },
  ],
])

export async function runOffline(config: Config, { line, cwd }: ShellRequest): Promise<Outcome> {
  const found = findCommand(commands, line)
  if (!found) {
    const names = [...commands.keys()].join(', ')
    return {
      exit_code: 1,
      answer: {
        error: `No server runs on ${config.data_dir}: start it first. Without one there are ${names}.`,
      },
    }
  }
  try {
    return { exit_code: 0, answer: await found.command(config, parseArguments(found.rest, cwd)) }
  } catch (error) {
    if (error instanceof StartRefused || error instanceof CommandRefused)
      return { exit_code: 1, answer: { error: error.message } }
    throw error
  }
}

function examineStopped(config: Config): Promise<object> {
  return diagnose(config, createContractRegistry(modules), false, {
    database: () => withDatabase(config, ({ pool }) => pool.query('select 1')),
    storage: () => createFolderStorage(join(config.data_dir, 'files')).check(),
  })
}

async function withDatabase<T>(
  config: Config,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ url: config.database_url, data_dir: config.data_dir })
  try {
    return await use(database)
  } finally {
    await database.stop()
  }
}
