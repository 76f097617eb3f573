import type { Counter, Gauge, Registry } from 'prom-client'

/** The metrics of one app; each app has its own registry, so that tests stay apart. */
export interface Metrics {
  readonly registry: Registry
  /** Counts a request by its contract's name and its answer's code (0 is success). */
  called(kind: string, name: string, code: number, seconds: number): void
  /** Sockets open now, by kind. */
  readonly sockets: Gauge<'kind'>
  /** Rejected sockets and events, by reason. */
  readonly turned_away: Counter<'reason'>
  /** Alarms for people on duty, by kind. */
  readonly alarms: Counter<'kind' | 'contact'>
  /** Finished jobs, by name and outcome. */
  readonly jobs: Counter<'name' | 'outcome'>
}
