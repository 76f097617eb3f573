import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import type { ClientConfig } from 'pg'
import type { App, Tx } from '../../core/app.ts'
import { assert } from '../../lib/assert.ts'
import type { PendingWork } from '../pending-work.ts'
import type { Jobs } from '../../core/jobs.ts'
import type { Job } from '../../core/job.ts'

/** The jobs, and the function that adds one while the app is composed. */
export interface JobRegistry extends Jobs {
  define(name: string, job: Job): void
}

/** GMT+3: the zone database writes these names with the opposite sign. */
const PRODUCT_ZONE = 'Etc/GMT-3'
const STOP_TIMEOUT_MS = 8000
/** A job that runs longer is taken for lost and starts again; the first check of an old ledger reads its whole journal. */
const RUNS_WITHIN_SECONDS = 23 * 3600
const QUEUE_OPTIONS = { retryLimit: 3, retryBackoff: true, expireInSeconds: RUNS_WITHIN_SECONDS }

/** pg-boss keeps the timetable. It runs only in processes that run jobs; tests run jobs by name instead. */
export function createJobs(
  app: () => App,
  connection: ClientConfig,
  busy: PendingWork,
): JobRegistry {
  const jobs = new Map<string, Job>()
  let boss: PgBoss | undefined

  async function run(name: string): Promise<void> {
    const job = jobs.get(name)
    assert(job, `a job named ${name} is defined`)
    try {
      await busy.track(job.run(app()))
      app().metrics.jobs.inc({ name, outcome: 'done' })
    } catch (error) {
      app().metrics.jobs.inc({ name, outcome: 'failed' })
      throw error
    }
  }

  return {
    define(name, job) {
      assert(!jobs.has(name), `one job is named ${name}`)
      jobs.set(name, job)
    },
    run,
    list: () =>
      [...jobs].map(([name, { summary, cron, zone }]) => ({
        name,
        summary,
        cron: cron ?? null,
        zone: zone ?? PRODUCT_ZONE,
      })),
    async start() {
      const timed = [...jobs].filter(([, job]) => job.cron !== undefined)
      if (timed.length === 0 || boss) return
      const { log } = app()
      boss = new PgBoss({ ...(connection as object), application_name: 'duet jobs', max: 3 })
      boss.on('error', (error) =>
        log.warn({ err: error }, 'the timetable of jobs reported an error'),
      )
      await boss.start()
      for (const [name, { cron, zone }] of timed) {
        const queue = queueOf(name)
        await boss.createQueue(queue, QUEUE_OPTIONS)
        await boss.updateQueue(queue, QUEUE_OPTIONS)
        await boss.work(queue, { pollingIntervalSeconds: 2 }, async () => {
          await run(name).catch((error: unknown) => {
            log.error({ job: name, err: error }, 'a job failed')
            throw error
          })
        })
        await boss.schedule(queue, cron!, null, { tz: zone ?? PRODUCT_ZONE })
      }
      await unscheduleOthers(boss, new Set(timed.map(([name]) => queueOf(name))))
    },
    async stop() {
      await boss?.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
      boss = undefined
    },
  }
}

/** The names of pg-boss queues cannot contain spaces. */
function queueOf(name: string): string {
  return name.replaceAll(' ', '/')
}

/** The stored timetable may contain jobs of an older version; without workers their runs would only pile up. */
async function unscheduleOthers(boss: PgBoss, known: ReadonlySet<string>): Promise<void> {
  for (const { name } of await boss.getSchedules())
    if (!known.has(name)) await boss.unschedule(name)
}

/**
 * Claims a period of a job inside the transaction that does its work: true for the first, false for every repeat.
 * Jobs are delivered at least once; the claim makes their effect happen once.
 */
export async function once(tx: Tx, job: string, period: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into job_periods (job, period, done_at) values (${job}, ${period}, ${tx.now}) on conflict do nothing
  `.execute(tx)
  return numAffectedRows === 1n
}
