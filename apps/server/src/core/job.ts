import type { App } from './app.ts'

/** Work that is started by the clock. It may run more than once for the same period: see `once` of `platform/jobs`. */
export interface Job {
  readonly summary: string
  /** A cron expression of five fields; absent: the job runs only by `duet jobs run`. */
  readonly cron?: string
  /** A name of the zone database. Default: `PRODUCT_ZONE`. */
  readonly zone?: string
  readonly run: (app: App) => Promise<void>
}
