/** The statistics of a connection, reduced to what the call uses. Counters start with the connection. */
export interface LinkReading {
  /** Frames of the partner's picture. */
  frames_decoded: number
  /** Frames that the own camera gave to the encoder. If the browser does not count them, null. */
  frames_captured: number | null
  /** Frames of our picture that left the encoder. */
  frames_sent: number
  /** Receiver reports with a round trip: proof that the partner receives our packets. */
  reports_received: number
  packets_sent: number
  packets_lost: number
  audio_packets_received: number
  video_packets_received: number
  /** Bytes of this connection, sent and received. */
  used_bytes: number
  /** Null where the browser does not report it. */
  round_trip_ms: number | null
  available_bps: number | null
  /** The limit that the encoder reports. */
  held_back_by: 'nothing' | 'cpu' | 'bandwidth'
  /** When the last receiver report came, for browsers that do not count them. */
  last_report_ms: number
}

export const NO_READING: LinkReading = Object.freeze({
  frames_decoded: 0,
  frames_captured: null,
  frames_sent: 0,
  reports_received: 0,
  packets_sent: 0,
  packets_lost: 0,
  audio_packets_received: 0,
  video_packets_received: 0,
  used_bytes: 0,
  round_trip_ms: null,
  available_bps: null,
  held_back_by: 'nothing',
  last_report_ms: 0,
})

type Entry = Record<string, unknown> & { type: string; kind?: string; timestamp?: number }

/**
 * Reads a `getStats()` answer. Safari and Firefox leave out optional fields. An entry may vanish when its stream ends,
 * so counters never fall below the counters of the reading `before`.
 */
export function readLink(
  report: Iterable<[string, unknown]>,
  before: LinkReading = NO_READING,
): LinkReading {
  const entries = [...report].map(([, entry]) => entry as Entry)
  const of = (type: string, kind?: string) =>
    entries.filter((e) => e.type === type && (!kind || e.kind === kind))
  const counted = (field: string, type: string, kind?: string) =>
    of(type, kind).reduce((total, entry) => total + number(entry[field]), 0)

  const remote = of('remote-inbound-rtp')
  const lastReportMs = Math.max(
    before.last_report_ms,
    ...remote.map((entry) => number(entry.timestamp)),
  )
  const countsReports = remote.some(
    (entry) => typeof entry['roundTripTimeMeasurements'] === 'number',
  )
  const pair = chosenPair(entries)
  const roundTrip =
    pair?.['currentRoundTripTime'] ??
    remote.find((entry) => entry['roundTripTime'])?.['roundTripTime']
  const limits = of('outbound-rtp', 'video').map((entry) => entry['qualityLimitationReason'])

  return {
    frames_decoded: Math.max(
      before.frames_decoded,
      counted('framesDecoded', 'inbound-rtp', 'video'),
    ),
    frames_captured: captured(of('media-source', 'video')),
    frames_sent: Math.max(before.frames_sent, counted('framesSent', 'outbound-rtp', 'video')),
    reports_received: countsReports
      ? Math.max(
          before.reports_received,
          counted('roundTripTimeMeasurements', 'remote-inbound-rtp'),
        )
      : before.reports_received + (lastReportMs > before.last_report_ms ? 1 : 0),
    packets_sent: Math.max(before.packets_sent, counted('packetsSent', 'outbound-rtp')),
    packets_lost: Math.max(before.packets_lost, counted('packetsLost', 'remote-inbound-rtp')),
    audio_packets_received: Math.max(
      before.audio_packets_received,
      counted('packetsReceived', 'inbound-rtp', 'audio'),
    ),
    video_packets_received: Math.max(
      before.video_packets_received,
      counted('packetsReceived', 'inbound-rtp', 'video'),
    ),
    used_bytes: Math.max(before.used_bytes, countBytes(entries)),
    round_trip_ms: typeof roundTrip === 'number' ? roundTrip * 1000 : null,
    available_bps:
      typeof pair?.['availableOutgoingBitrate'] === 'number'
        ? pair['availableOutgoingBitrate']
        : null,
    held_back_by: limits.includes('bandwidth')
      ? 'bandwidth'
      : limits.includes('cpu')
        ? 'cpu'
        : 'nothing',
    last_report_ms: lastReportMs,
  }
}

const COUNTERS = [
  'frames_decoded',
  'frames_sent',
  'reports_received',
  'packets_sent',
  'packets_lost',
  'audio_packets_received',
  'video_packets_received',
] as const

/** The reading with the counters of `base` added, or taken away. */
export function addCounters(reading: LinkReading, base: LinkReading, sign: 1 | -1): LinkReading {
  const counted = { ...reading }
  for (const name of COUNTERS) counted[name] += sign * base[name]
  return counted
}

/** The share of our packets that were lost between two readings, 0 to 1. If nothing was sent, null. */
export function lossBetween(before: LinkReading, now: LinkReading): number | null {
  const sent = now.packets_sent - before.packets_sent
  return sent > 0 ? Math.min(1, (now.packets_lost - before.packets_lost) / sent) : null
}

/**
 * The frames that the camera gave this connection between two readings. If the count is missing or began again, null.
 */
export function capturedBetween(before: LinkReading, now: LinkReading): number | null {
  if (before.frames_captured === null || now.frames_captured === null) return null
  const further = now.frames_captured - before.frames_captured
  return further < 0 ? null : further
}

function countBytes(entries: Entry[]): number {
  return entries
    .filter(({ type }) => type === 'transport')
    .reduce((all, each) => all + number(each['bytesSent']) + number(each['bytesReceived']), 0)
}

function captured([source]: Entry[]): number | null {
  const frames = source?.['frames']
  return typeof frames === 'number' ? frames : null
}

function chosenPair(entries: Entry[]): Entry | undefined {
  const transport = entries.find(
    (entry) => entry.type === 'transport' && entry['selectedCandidatePairId'],
  )
  return (
    entries.find(
      (entry) =>
        entry['id'] !== undefined && entry['id'] === transport?.['selectedCandidatePairId'],
    ) ??
    entries.find(
      (entry) =>
        entry.type === 'candidate-pair' &&
        entry['nominated'] === true &&
        entry['state'] === 'succeeded',
    )
  )
}

function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
