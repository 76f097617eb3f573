import type { App } from '../../core/app.ts'
import type { Job } from '../../core/job.ts'
import { keepHead } from './kept-head.ts'
import { verifyLog } from './verify-log.ts'

async function verifyNightly(app: App): Promise<void> {
  const { ok, entries, head, faults, kept_head } = await verifyLog(app)
  if (!ok)
    throw new Error(
      `The audit log was changed, or its end is not kept: ${JSON.stringify({ faults, kept_head })}`,
    )
  app.log.info({ entries, head }, 'the audit log is whole')
}

export const jobs: Readonly<Record<string, Job>> = {
  'audit verify': {
    summary:
      'Verifies every entry of the audit log every night; fails when one was changed, or when its end is not kept.',
    cron: '45 4 * * *',
    run: verifyNightly,
  },
  'audit head': {
    summary:
      'Signs the end of the audit log every minute, logs it and keeps it with the files; fails when the former one is not in the log.',
    cron: '* * * * *',
    run: (app) => keepHead(app),
  },
}
