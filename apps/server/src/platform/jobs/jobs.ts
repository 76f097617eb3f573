import { setTimeout as sleep } from 'node:timers/promises'
import { Cron } from 'croner'
import { sql } from 'kysely'
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
const RETRIES_MAX = 3
const RETRY_AFTER_MS = 2000

/** Runs jobs by the clock in processes with the role `worker`; tests run jobs by name. */
export function createJobs(app: () => App, busy: PendingWork): JobRegistry {
  const jobs = new Map<string, Job>()
  const running = new Set<string>()
  const cancels = new Map<string, () => void>()
  let stopping = new AbortController()

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

  function schedule(name: string, timetable: Cron, after: Temporal.Instant): void {
    const { clock } = app()
    const due = nextDue(timetable, after)
    if (!due) return
    const cancel = clock.at(due, () => {
      // A timer may fire a moment early, and after a pause of the machine it fires late.
      const now = clock.now()
      schedule(name, timetable, Temporal.Instant.compare(now, due) > 0 ? now : due)
      if (!running.has(name)) void runDue(name, timetable, due)
    })
    cancels.set(name, cancel)
  }

  async function runDue(name: string, timetable: Cron, due: Temporal.Instant): Promise<void> {
    running.add(name)
    let isClaimed = false
    await retry(app(), name, stopping.signal, async () => {
      isClaimed ||= await claim(app(), name, { timetable, due })
      if (isClaimed) await run(name)
    })
    running.delete(name)
  }

  return {
    define(name, job) {
      assert(!jobs.has(name), `one job is named ${name}`)
      jobs.set(name, job)
    },
    run,
    list: () => [...jobs].map(([name, job]) => toListed(name, job)),
    async start() {
      if (cancels.size > 0) return
      stopping = new AbortController()
      for (const [name, { cron, zone }] of jobs) {
        if (cron === undefined) continue
        const options = { mode: '5-part', timezone: zone ?? PRODUCT_ZONE, paused: true } as const
        schedule(name, new Cron(cron, options), app().clock.now())
      }
    },
    async stop() {
      stopping.abort()
      for (const cancel of cancels.values()) cancel()
      cancels.clear()
    },
  }
}

function toListed(name: string, { summary, cron, zone }: Job): ReturnType<Jobs['list']>[number] {
  return { name, summary, cron: cron ?? null, zone: zone ?? PRODUCT_ZONE }
}

/** Repeats a failed run of a job, until the process stops. */
async function retry(
  { log }: App,
  job: string,
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  for (let retries = 0; !signal.aborted; retries += 1) {
    try {
      return await run()
    } catch (error) {
      log.error({ job, err: error }, 'a job failed')
      if (retries >= RETRIES_MAX) return
      await sleep(RETRY_AFTER_MS * 2 ** retries, undefined, { ref: false, signal }).catch(() => {})
    }
  }
}

function nextDue(timetable: Cron, after: Temporal.Instant): Temporal.Instant | undefined {
  const next = timetable.nextRun(new Date(after.epochMilliseconds))
  return next ? Temporal.Instant.fromEpochMilliseconds(next.getTime()) : undefined
}

/**
 * Each server process has the timetable: the first process that claims a due time runs the job. A claim of a time after the
 * next one was made by a clock that is wrong, or changed in the row: it would stop the job until then, and counts as none.
 */
async function claim(
  { db, clock }: App,
  job: string,
  { timetable, due }: { readonly timetable: Cron; readonly due: Temporal.Instant },
): Promise<boolean> {
  const now = clock.now()
  const next = nextDue(timetable, Temporal.Instant.compare(now, due) > 0 ? now : due) ?? due
  const { numAffectedRows } = await sql`
    insert into job_runs as last (job, due_at) values (${job}, ${due})
    on conflict (job) do update set due_at = excluded.due_at where last.due_at < excluded.due_at or last.due_at > ${next}
  `.execute(db)
  return numAffectedRows === 1n
}

/**
 * Claims a period of a job inside the transaction that does its work: true for the first claim, false for
 * every repeat. A failed job runs again. The claim makes its effect happen once.
 */
export async function once(tx: Tx, job: string, period: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into job_periods (job, period, done_at) values (${job}, ${period}, ${tx.now}) on conflict do nothing
  `.execute(tx)
  return numAffectedRows === 1n
}
