import { wireTime } from '../../../lib/clock.ts'
import { isPoor } from './score.ts'
import type { StatsSample } from './stats-sample.ts'

/** A row of the record of one side, as it is stored. */
export interface QualityEvent {
  readonly at: Temporal.Instant
  readonly kind: EventKind
  readonly name: string
  readonly details: unknown
}

export type EventKind = 'device' | 'gum' | 'connection' | 'track' | 'stats' | 'issue' | 'score'

/** How one side of a call was. */
export interface QualitySummary {
  readonly from: string
  readonly to: string
  readonly reports: number
  /** Averages of the mean opinion score, from 1 to 5; null: no report said enough. */
  readonly score: {
    readonly inbound: number | null
    readonly outbound: number | null
    readonly worst: number | null
    readonly poor_percent: number
  }
  readonly rtt_ms: number | null
  readonly freezes: number
  readonly frozen_s: number
  /** The first time of each kind of issue, and how often it was found. */
  readonly issues: readonly { at: string; reason: string; type: string; times: number }[]
  /** Changes of the path and of the state of the connection. */
  readonly network: readonly { at: string; change: string }[]
  readonly devices: readonly { at: string; error: string }[]
}

const ISSUES_MAX = 30
const CHANGES_MAX = 100
const DEVICE_ERRORS_MAX = 20

/** Sums up the record of one side. The events are in the order of their times. Undefined: there are none. */
export function summarise(events: readonly QualityEvent[]): QualitySummary | undefined {
  const first = events[0]
  const last = events.at(-1)
  if (!first || !last) return undefined
  const samples = events.flatMap(({ kind, details }) =>
    kind === 'stats' ? [details as StatsSample] : [],
  )
  return {
    from: wireTime(first.at),
    to: wireTime(last.at),
    reports: samples.length,
    score: sumScores(samples),
    rtt_ms: average(samples, 'rtt_ms'),
    freezes: largest(samples, 'freezes'),
    frozen_s: largest(samples, 'frozen_s'),
    issues: sumIssues(events),
    network: listChanges(events),
    devices: listDeviceErrors(events),
  }
}

function sumScores(samples: readonly StatsSample[]): QualitySummary['score'] {
  const all = samples.flatMap(({ in_score, out_score }) => [in_score ?? [], out_score ?? []].flat())
  const poor = samples.filter(isPoor).length
  return {
    inbound: average(samples, 'in_score'),
    outbound: average(samples, 'out_score'),
    worst: all.length > 0 ? Math.min(...all) : null,
    poor_percent: samples.length > 0 ? Math.round((100 * poor) / samples.length) : 0,
  }
}

type NumberField = {
  [K in keyof StatsSample]-?: StatsSample[K] extends number | undefined ? K : never
}[keyof StatsSample]

function average(samples: readonly StatsSample[], field: NumberField): number | null {
  const found = samples.flatMap((sample) => sample[field] ?? [])
  if (found.length === 0) return null
  return Math.round((100 * found.reduce((one, other) => one + other, 0)) / found.length) / 100
}

/** A counter of the browser only rises, and begins again with a new connection. */
function largest(samples: readonly StatsSample[], field: NumberField): number {
  return Math.max(0, ...samples.map((sample) => sample[field] ?? 0))
}

function sumIssues(events: readonly QualityEvent[]): QualitySummary['issues'] {
  const byReason = new Map<string, { at: string; reason: string; type: string; times: number }>()
  for (const { kind, name, at, details } of events) {
    if (kind !== 'issue') continue
    const known = byReason.get(name)
    if (known) known.times += 1
    else if (byReason.size < ISSUES_MAX) {
      const { type = '' } = details as { type?: string }
      byReason.set(name, { at: wireTime(at), reason: name, type, times: 1 })
    }
  }
  return [...byReason.values()]
}

function listChanges(events: readonly QualityEvent[]): QualitySummary['network'] {
  const changes: { at: string; change: string }[] = []
  let path: string | undefined
  for (const { kind, name, at, details } of events) {
    const found = kind === 'stats' ? (details as StatsSample).path : undefined
    if (found !== undefined && found !== path) {
      changes.push({ at: wireTime(at), change: path === undefined ? found : `${path} → ${found}` })
      path = found
    }
    const { data } = details as { data?: unknown }
    if (kind === 'connection' && STATE_EVENTS.has(name) && typeof data === 'string')
      changes.push({ at: wireTime(at), change: `${name.slice('on'.length)}: ${data}` })
  }
  return changes.slice(0, CHANGES_MAX)
}

const STATE_EVENTS = new Set(['oniceconnectionstatechange', 'onconnectionstatechange'])

function listDeviceErrors(events: readonly QualityEvent[]): QualitySummary['devices'] {
  return events
    .flatMap(({ kind, at, details }) => {
      const { error } = (details as { data?: { error?: unknown } | null }).data ?? {}
      return kind === 'gum' && typeof error === 'string' ? [{ at: wireTime(at), error }] : []
    })
    .slice(0, DEVICE_ERRORS_MAX)
}
