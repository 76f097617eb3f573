import type { App } from '../../core/app.ts'
import type { Module } from '../../core/module.ts'
import type { Job } from '../../core/job.ts'
import { outboxRetention } from '../database/outbox.ts'
import { deleteRows } from './retention-rule.ts'
import type { RetentionRule, RetentionWalk } from '../../core/retention-rule.ts'

/** One transaction deletes this many rows at most: short enough that no other transaction waits for it noticeably. */
const BATCH_ROWS = 5_000
/** One run deletes at most this many batches of a rule; the next run continues. */
const BATCHES_MAX = 200
const ERROR_MAX = 500
const QUERY_CANCELED = '57014'

/** The rules of the platform's own tables. */
const platformRules: readonly RetentionRule[] = [
  outboxRetention,
  deleteRows('job_periods', 'done_at', () => 400),
  deleteRows('idempotent_answers', 'created_at', () => 2),
  deleteRows('passed_captchas', 'expires_at', () => 0),
]

export function retentionRules(modules: readonly Module[]): readonly RetentionRule[] {
  return [...platformRules, ...modules.flatMap(({ retention = [] }) => retention)]
}

/**
 * Enforces every rule in short transactions and records each run. A rule that fails does not stop the
 * others.
 * @throws AggregateError of the rules that failed, after all of them ran
 */
export async function enforceRetention(
  app: App,
  rules: readonly RetentionRule[],
  { batch_rows = BATCH_ROWS, batches_max = BATCHES_MAX } = {},
): Promise<void> {
  const errors: unknown[] = []
  for (const rule of rules) {
    const keepDays = rule.keepDays(app)
    const walk = { from: Temporal.Instant.fromEpochMilliseconds(0) }
    const before = app.clock.now().subtract({ hours: 24 * keepDays })
    let deleted = 0
    let isComplete = false
    let error: string | null = null
    let size = rule.batchRows ?? batch_rows
    try {
      for (let batch = 0; batch < batches_max && !isComplete; batch++) {
        const count = await purgeBatch(app, rule, { before, size, walk })
        if (count === 'too long') size = Math.ceil(size / 2)
        else {
          deleted += count
          isComplete = count < size
        }
      }
    } catch (cause) {
      errors.push(new Error(`the retention of ${rule.name} failed`, { cause }))
      error = String(cause).slice(0, ERROR_MAX)
    }
    await recordRun(app, {
      rule: rule.name,
      keep_days: keepDays,
      deleted,
      is_complete: isComplete,
      error,
    })
  }
  if (errors.length > 0) throw new AggregateError(errors, 'retention rules failed')
}

/** Returns how many rows were deleted. `too long`: the batch met the limit of a statement, and a smaller batch may not. */
async function purgeBatch(
  app: App,
  rule: RetentionRule,
  {
    before,
    size,
    walk,
  }: { readonly before: Temporal.Instant; readonly size: number; readonly walk: RetentionWalk },
): Promise<number | 'too long'> {
  try {
    return await app.transact((tx) => rule.purge(tx, before, size, walk))
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED && size > 1) return 'too long'
    throw error
  }
}

interface Run {
  readonly rule: string
  readonly keep_days: number
  readonly deleted: number
  readonly is_complete: boolean
  readonly error: string | null
}

async function recordRun(app: App, run: Run): Promise<void> {
  const row = { ...run, ran_at: app.clock.now() }
  await app.transact((tx) =>
    tx
      .insertInto('retention_runs')
      .values(row)
      .onConflict((conflict) => conflict.column('rule').doUpdateSet(row))
      .execute(),
  )
}

/** The last run of each rule, for the doctor. */
export function retentionRuns(app: App) {
  return app.db.selectFrom('retention_runs').selectAll().orderBy('rule').execute()
}

export function retentionJobs(modules: readonly Module[]): Readonly<Record<string, Job>> {
  const rules = retentionRules(modules)
  return {
    retention: {
      summary: 'Deletes what the modules declare as too old, in short transactions.',
      cron: '40 * * * *',
      run: (app) => enforceRetention(app, rules),
    },
  }
}
