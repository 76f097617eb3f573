import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import type { ClientConfig } from 'pg'
import type { App, Tx } from '../../core/app.ts'
import { assert } from '../../lib/assert.ts'
import type { PendingWork } from '../pending-work.ts'
import type { Jobs } from './timetable.ts'

/** Work that time starts. It may run more than once for the same period: see `once`. */
export interface Job {
  readonly says: string
  /** Five fields; absent: only by hand (`duet jobs run`). */
  readonly cron?: string
  /** The product's zone unless the job says otherwise: GMT+3, which zone databases write with the sign turned round. */
  readonly zone?: string
  readonly run: (app: App) => Promise<void>
}

/** The jobs with the way to add one, used while the app is composed. */
export interface JobRegistry extends Jobs {
  define(name: string, job: Job): void
}

const PRODUCT_ZONE = 'Etc/GMT-3'
const STOP_TIMEOUT_MS = 8000
const RETRIES_MAX = 3

/** pg-boss keeps the timetable; it is started only where jobs run, and tests run jobs by name instead. */
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
      [...jobs].map(([name, { says, cron, zone }]) => ({
        name,
        says,
        cron: cron ?? null,
        zone: zone ?? PRODUCT_ZONE,
      })),
    async start() {
      const timed = [...jobs].filter(([, job]) => job.cron !== undefined)
      if (timed.length === 0 || boss) return
      const { log } = app()
      boss = new PgBoss({ ...(connection as object), application_name: 'duet jobs', max: 3 })
      boss.on('error', (error) => log.warn({ err: error }, 'the timetable of jobs met an error'))
      await boss.start()
      for (const [name, { cron, zone }] of timed) {
        const queue = queueOf(name)
        await boss.createQueue(queue, { retryLimit: RETRIES_MAX, retryBackoff: true })
        await boss.work(queue, { pollingIntervalSeconds: 2 }, async () => {
          await run(name).catch((error: unknown) => {
            log.error({ job: name, err: error }, 'a job failed')
            throw error
          })
        })
        await boss.schedule(queue, cron!, null, { tz: zone ?? PRODUCT_ZONE })
      }
      await forgetOthers(boss, new Set(timed.map(([name]) => queueOf(name))))
    },
    async stop() {
      await boss?.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
      boss = undefined
    },
  }
}

/** Queues of pg-boss have no spaces in their names. */
function queueOf(name: string): string {
  return name.replaceAll(' ', '/')
}

/** A timetable outlives the program that wrote it: what is no longer defined would wait for workers for ever. */
async function forgetOthers(boss: PgBoss, known: ReadonlySet<string>): Promise<void> {
  for (const { name } of await boss.getSchedules())
    if (!known.has(name)) await boss.unschedule(name)
}

/**
 * Claims a period of a job inside the transaction that does its work: true for the first, false for every repeat.
 * Jobs are delivered at least once; this is what makes their effect happen once.
 */
export async function once(tx: Tx, job: string, period: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into job_periods (job, period, done_at) values (${job}, ${period}, ${tx.now}) on conflict do nothing
  `.execute(tx)
  return numAffectedRows === 1n
}
