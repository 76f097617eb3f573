import { scoreNetwork } from './score.ts'

/** A report of statistics in a short form. A field that the browser does not report is left out. */
export interface StatsSample {
  readonly rtt_ms?: number
  readonly in_jitter_ms?: number
  readonly in_loss_percent?: number
  readonly in_kbps?: number
  readonly in_fps?: number
  readonly in_height?: number
  readonly freezes?: number
  readonly frozen_s?: number
  readonly out_jitter_ms?: number
  readonly out_loss_percent?: number
  readonly out_kbps?: number
  readonly out_fps?: number
  readonly out_height?: number
  /** Why the browser sends a smaller picture: bandwidth, cpu. */
  readonly limited_by?: string
  readonly available_kbps?: number
  /** The kinds of both ends of the path: `host/udp - relay/udp`. */
  readonly path?: string
  readonly in_score?: number
  readonly out_score?: number
}

type Report = Readonly<Record<string, unknown>>

/** Reads the statistics of a page, which may be anything. */
export function readSample(data: unknown): StatsSample {
  const of = (path: string) => listReports(data, path)
  const [connection] = of('connection')
  const inbound = [...of('audio.inbound'), ...of('video.inbound')]
  const outbound = [...of('audio.outbound'), ...of('video.outbound')]
  const answered = [...of('remote.audio.inbound'), ...of('remote.video.inbound')]
  const [seen] = of('video.inbound')
  const [sent] = of('video.outbound')
  const rtt = numberIn(connection, 'currentRoundTripTime') ?? largest(answered, 'roundTripTime')
  const network = {
    rtt_ms: times(rtt, 1000),
    in_jitter_ms: times(largest(inbound, 'jitter'), 1000),
    in_loss_percent: times(largest(inbound, 'packetLossRate'), 100),
    out_jitter_ms: times(largest(answered, 'jitter'), 1000),
    out_loss_percent: times(largest(answered, 'fractionLost'), 100),
  }
  return withoutMissing({
    ...network,
    in_kbps: times(sum(inbound, 'bitrate'), 0.001),
    in_fps: numberIn(seen, 'framesPerSecond'),
    in_height: numberIn(seen, 'frameHeight'),
    freezes: numberIn(seen, 'freezeCount'),
    frozen_s: numberIn(seen, 'totalFreezesDuration'),
    out_kbps: times(sum(outbound, 'bitrate'), 0.001),
    out_fps: numberIn(sent, 'framesPerSecond'),
    out_height: numberIn(sent, 'frameHeight'),
    limited_by: wordIn(sent, 'qualityLimitationReason'),
    available_kbps: times(numberIn(connection, 'availableOutgoingBitrate'), 0.001),
    path: readPath(connection),
    in_score: scoreNetwork(network.rtt_ms, network.in_jitter_ms, network.in_loss_percent),
    out_score: scoreNetwork(network.rtt_ms, network.out_jitter_ms, network.out_loss_percent),
  })
}

/** Two streams of each kind are more than a call has. */
const REPORTS_MAX = 4

function listReports(data: unknown, path: string): readonly Report[] {
  let at = data
  for (const key of path.split('.')) at = isReport(at) ? at[key] : undefined
  return (Array.isArray(at) ? at.slice(0, REPORTS_MAX) : [at]).filter(isReport)
}

function isReport(value: unknown): value is Report {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const NUMBER_MAX = 1e9

function numberIn(report: Report | undefined, key: string): number | undefined {
  const value = report?.[key]
  return typeof value === 'number' && value >= 0 && value <= NUMBER_MAX ? round(value) : undefined
}

function wordIn(report: Report | undefined, key: string): string | undefined {
  const value = report?.[key]
  return typeof value === 'string' && /^[a-z-]{1,20}$/.test(value) ? value : undefined
}

function listNumbers(reports: readonly Report[], key: string): number[] {
  return reports.flatMap((report) => numberIn(report, key) ?? [])
}

function largest(reports: readonly Report[], key: string): number | undefined {
  const found = listNumbers(reports, key)
  return found.length > 0 ? Math.max(...found) : undefined
}

function sum(reports: readonly Report[], key: string): number | undefined {
  const found = listNumbers(reports, key)
  return found.length > 0 ? found.reduce((one, other) => one + other, 0) : undefined
}

function times(value: number | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : round(value * factor)
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

function readPath(connection: Report | undefined): string | undefined {
  const [local, remote] = ['local', 'remote'].map((end) => {
    const candidate = connection?.[end]
    if (!isReport(candidate)) return undefined
    const words = ['candidateType', 'protocol', 'networkType'].flatMap(
      (key) => wordIn(candidate, key) ?? [],
    )
    return words.length > 0 ? words.join('/') : undefined
  })
  return local === undefined || remote === undefined ? undefined : `${local} - ${remote}`
}

function withoutMissing(sample: { readonly [K in keyof StatsSample]: unknown }): StatsSample {
  return Object.fromEntries(Object.entries(sample).filter(([, value]) => value !== undefined))
}
