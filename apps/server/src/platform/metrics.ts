import type { Metrics } from '../core/metrics.ts'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** `process_wide`: event loop, memory and garbage collection too; once per process. */
export function createMetrics({ process_wide = false } = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (process_wide) collectDefaultMetrics({ register: registry })
  const calls = new Counter({
    name: 'duet_calls_total',
    help: 'Requests by contract and code',
    labelNames: ['kind', 'name', 'code'],
    registers,
  })
  const seconds = new Histogram({
    name: 'duet_call_seconds',
    help: 'Time to answer',
    labelNames: ['kind', 'name'],
    buckets: BUCKETS_SECONDS,
    registers,
  })
  return {
    registry,
    called(kind, name, code, took) {
      calls.inc({ kind, name, code })
      seconds.observe({ kind, name }, took)
    },
    sockets: new Gauge({
      name: 'duet_sockets',
      help: 'Open sockets',
      labelNames: ['kind'],
      registers,
    }),
    turned_away: new Counter({
      name: 'duet_turned_away_total',
      help: 'Rejected sockets and events',
      labelNames: ['reason'],
      registers,
    }),
    alarms: new Counter({
      name: 'duet_alarms_total',
      help: 'Alarms for people on duty',
      labelNames: ['kind', 'contact'],
      registers,
    }),
    jobs: new Counter({
      name: 'duet_jobs_total',
      help: 'Finished jobs',
      labelNames: ['name', 'outcome'],
      registers,
    }),
  }
}
