/** The statistics of a connection in the form that collectors and detectors of issues read. */

export type StatsEntry = Readonly<Record<string, unknown>>
type Kind = 'audio' | 'video'
interface Streams {
  readonly inbound: StatsEntry[]
  readonly outbound: StatsEntry[]
}

export interface ConnectionStats {
  readonly audio: Streams
  readonly video: Streams
  readonly connection: StatsEntry
  readonly remote: Readonly<Record<Kind, Streams>>
}

/** The reports of `getStats`, by id. */
export type StatsReports = ReadonlyMap<string, StatsEntry>

const STREAM_TYPES = {
  'inbound-rtp': {
    isRemote: false,
    way: 'inbound',
    bytes: 'bytesReceived',
    packets: 'packetsReceived',
  },
  'outbound-rtp': { isRemote: false, way: 'outbound', bytes: 'bytesSent', packets: 'packetsSent' },
  'remote-inbound-rtp': {
    isRemote: true,
    way: 'inbound',
    bytes: 'bytesReceived',
    packets: 'packetsReceived',
  },
  'remote-outbound-rtp': {
    isRemote: true,
    way: 'outbound',
    bytes: 'bytesSent',
    packets: 'packetsSent',
  },
} as const

/** Reads `getStats`. Rates are null where there is no earlier report, or the counter went back. */
export function readStats(reports: StatsReports, before?: ConnectionStats): ConnectionStats {
  const empty = (): Streams => ({ inbound: [], outbound: [] })
  const stats: ConnectionStats = {
    audio: empty(),
    video: empty(),
    connection: readPair(reports),
    remote: { audio: empty(), video: empty() },
  }
  for (const report of reports.values()) {
    const type = STREAM_TYPES[report.type as keyof typeof STREAM_TYPES]
    const kind = (report.kind ?? report.mediaType) as Kind
    if (!type || (kind !== 'audio' && kind !== 'video')) continue
    const streams = (of: ConnectionStats) => (type.isRemote ? of.remote[kind] : of[kind])[type.way]
    const earlier = before && streams(before).find(({ id }) => id === report.id)
    streams(stats).push({
      ...report,
      ...readCodec(reports, report),
      track: reports.get(String(report.mediaSourceId ?? report.trackId)) ?? {},
      bitrate: times(readRate(report, earlier, type.bytes), 8),
      packetRate: readRate(report, earlier, type.packets),
      ...(type.way === 'inbound' && { packetLossRate: readLoss(report, earlier) }),
    })
  }
  return stats
}

function readCodec(reports: StatsReports, { codecId }: StatsEntry): StatsEntry {
  const codec = reports.get(String(codecId))
  if (!codec) return {}
  const { clockRate, mimeType, payloadType } = codec
  return { clockRate, mimeType, payloadType }
}

/** The pair of candidates in use, with both candidates. */
function readPair(reports: StatsReports): StatsEntry {
  const all = [...reports.values()]
  const transport = all.find(({ type, selectedCandidatePairId: id }) => type === 'transport' && id)
  const pair =
    reports.get(String(transport?.selectedCandidatePairId)) ??
    all.find(
      ({ type, nominated, state }) =>
        type === 'candidate-pair' && nominated === true && state === 'succeeded',
    )
  if (!pair) return {}
  const local = reports.get(String(pair.localCandidateId)) ?? {}
  const remote = reports.get(String(pair.remoteCandidateId)) ?? {}
  return { ...pair, local, remote }
}

/** By how much a counter grew per second. */
export function readRate(
  now: StatsEntry,
  before: StatsEntry | undefined,
  counter: string,
): number | null {
  if (!before || now[counter] === undefined || before[counter] === undefined) return null
  const seconds = (Number(now.timestamp) - Number(before.timestamp)) / 1000
  const grown = Number(now[counter]) - Number(before[counter])
  return seconds > 0 && grown >= 0 ? grown / seconds : null
}

function times(rate: number | null, factor: number): number | null {
  return rate === null ? null : rate * factor
}

/** The share of packets that were lost since the earlier report, from 0 to 1. Late packets can make it smaller. */
function readLoss(now: StatsEntry, before: StatsEntry | undefined): number | null {
  if (!before) return null
  const grown = (counter: string) => Number(now[counter]) - Number(before[counter])
  const lost = Math.max(0, grown('packetsLost'))
  const received = grown('packetsReceived')
  return received >= 0 && received + lost > 0 ? lost / (received + lost) : null
}
