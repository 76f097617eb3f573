import {
  AvailableOutgoingBitrateIssueDetector,
  FrozenVideoTrackDetector,
  InboundNetworkIssueDetector,
  type IssueDetector,
  MissingStreamDataDetector,
  NetworkMediaSyncIssueDetector,
  NetworkScoresCalculator,
  OutboundNetworkIssueDetector,
  QualityLimitationsIssueDetector,
  UnknownVideoDecoderImplementationDetector,
  VideoDecoderIssueDetector,
  type WebRTCStatsParsed,
} from 'webrtc-issue-detector'
import type { ConnectionStats } from './connection-stats.ts'

export interface FoundIssue {
  readonly type: string
  readonly reason: string
  readonly ssrc?: number
  readonly trackIdentifier?: string
  readonly statsSample?: unknown
}

export interface NetworkScore {
  readonly inbound?: number
  readonly outbound?: number
  readonly samples?: unknown
}

export interface StatsVerdict {
  readonly issues: readonly FoundIssue[]
  /** Undefined: the statistics do not say enough yet. */
  readonly score: NetworkScore | undefined
}

/** Judges the statistics of one connection, which come one after the other. */
export type StatsJudge = (stats: ConnectionStats) => StatsVerdict

/** The detectors of the library `webrtc-issue-detector`. Each keeps the statistics before. */
export function createIssueJudge(): StatsJudge {
  const calculator = new NetworkScoresCalculator()
  const detectors: readonly IssueDetector[] = [
    new QualityLimitationsIssueDetector(),
    new InboundNetworkIssueDetector(),
    new OutboundNetworkIssueDetector(),
    new NetworkMediaSyncIssueDetector(),
    new AvailableOutgoingBitrateIssueDetector(),
    new UnknownVideoDecoderImplementationDetector(),
    new FrozenVideoTrackDetector(),
    new VideoDecoderIssueDetector(),
    new MissingStreamDataDetector(),
  ]
  return (stats) => {
    const parsed = stats as unknown as WebRTCStatsParsed
    const scores = calculator.calculate(parsed)
    const issues = detectors.flatMap((detector) => detector.detect(parsed, scores))
    const { inbound, outbound, statsSamples: samples } = scores
    const isScored = inbound !== undefined || outbound !== undefined
    return { issues, score: isScored ? { inbound, outbound, samples } : undefined }
  }
}
