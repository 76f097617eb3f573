import { resolve } from 'node:path'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import type { ContractRegistry } from '../dispatch/contract-registry.ts'
import { backupTo } from '../database/backup/backup.ts'
import { readIdentity } from '../database/backup/encryption.ts'
import type { RestoreOptions } from '../database/backup/restore.ts'
import { outboxStatus, requeueDeadLetters } from '../database/outbox.ts'
import { retentionRuns } from '../retention/retention.ts'
import type { Database } from '../database/open.ts'
import { CommandRefused, type Commands, getHelp } from './commands.ts'
import { diagnose } from './doctor.ts'

export interface OwnCommandOptions {
  readonly contractRegistry: () => ContractRegistry
  readonly database: () => Database
  readonly commands: () => Commands
  /** Stops the server, replaces the database by the backup, starts the server again. */
  readonly restore: (file: string, options: RestoreOptions) => Promise<object>
}

/** The commands that belong to no module. */
export function ownCommands(options: OwnCommandOptions): Readonly<Record<string, OperatorCommand>> {
  return {
    help: { args: '', summary: 'This list.', run: async () => getHelp(options.commands()) },
    doctor: {
      args: '',
      summary: 'What is configured, missing and reachable, and which contracts have no module yet.',
      run: (app) =>
        diagnose(app.config, options.contractRegistry(), true, {
          database: () =>
            app.db.selectFrom('schema_migrations').select('number').limit(1).execute(),
          storage: () => app.storage.check(),
          outbox: () => outboxStatus(app.db),
          retention: () => retentionRuns(app),
          modules: () => app.hooks.diagnosis(),
        }),
    },
    'outbox requeue': {
      args: '[KIND]',
      summary: 'Puts dead letters of the outbox, of one kind or of all, back into the queue.',
      run: (app, { words: [kind] }) =>
        app.transact(async (tx) => ({ requeued: await requeueDeadLetters(tx, kind) })),
    },
    'jobs list': { args: '', summary: 'The timetable.', run: async (app) => app.jobs.list() },
    'jobs run': {
      args: 'NAME',
      summary: 'Runs a job now, in this process.',
      run: async (app, { words }) => {
        const name = words.join(' ')
        if (!app.jobs.list().some((job) => job.name === name))
          throw new CommandRefused(`There is no job ${name}: duet jobs list names them.`)
        await app.jobs.run(name)
        return { job: name, done: true }
      },
    },
    backup: {
      args: 'FILE',
      summary: 'Writes a snapshot of the database into a file.',
      run: (app, { words, cwd }) =>
        backupTo(options.database().connection, fileIn(cwd, words), {
          recipients: app.config.backup_recipients,
        }),
    },
    restore: {
      args: 'FILE [--identity KEYFILE] [--end-logins]',
      summary:
        'Replaces the database by a backup; the old one is kept under another name. All users are disconnected. Prints the members of staff in it.',
      run: async (_app, given) =>
        options.restore(fileIn(given.cwd, given.words), await restoreOptionsIn(given)),
    },
  }
}

/** `--identity KEYFILE` and `--end-logins` of `restore`. */
export async function restoreOptionsIn({
  options,
  cwd,
}: CommandArguments): Promise<RestoreOptions> {
  const { identity, 'end-logins': endLogins } = options
  if (identity === true) throw new CommandRefused('--identity names the file with the secret key.')
  return {
    identity: identity === undefined ? undefined : await readIdentity(resolve(cwd, identity)),
    end_logins: endLogins === true,
  }
}

export function fileIn(cwd: string, [file]: readonly string[]): string {
  if (file === undefined || file === '') throw new CommandRefused('Name a file.')
  return resolve(cwd, file)
}
