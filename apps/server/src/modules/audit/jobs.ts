import type { App } from '../../core/app.ts'
import type { Job } from '../../core/job.ts'
import { allEntries, verifyChain } from './queries.ts'
import { readHead } from './store.ts'

async function verifyNightly(app: App): Promise<void> {
  const { ok, entries, head, faults } = await app.onDedicatedConnection((db) =>
    verifyChain(allEntries(db)),
  )
  if (!ok) throw new Error(`The audit log was changed: ${JSON.stringify(faults)}`)
  app.log.info({ entries, head }, 'the audit log is whole')
}

/** Logs are kept apart from the database: a head in them shows later that the end of the log was cut off. */
async function noteHead(app: App): Promise<void> {
  const { entry_id: entries, hash: head } = await readHead(app.db)
  if (entries > 0) app.log.info({ entries, head }, 'the head of the audit log')
}

export const jobs: Readonly<Record<string, Job>> = {
  'audit verify': {
    summary: 'Verifies every entry of the audit log every night; fails when one was changed.',
    cron: '45 4 * * *',
    run: verifyNightly,
  },
  'audit head': {
    summary: 'Logs the head of the audit log every minute, for a check with --head.',
    cron: '* * * * *',
    run: noteHead,
  },
}
