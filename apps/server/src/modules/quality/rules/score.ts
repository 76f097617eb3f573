/** The mean opinion score below which a user notices the network. */
export const POOR_SCORE = 2.6

/** Echo and buffers that no statistics show. */
const BASE_DELAY_MS = 10
const GOOD_RATING = 93.2
/** Above this delay people begin to talk at the same time. */
const NOTICED_DELAY_MS = 160
const RATING_LOST_PER_PERCENT = 2.5

/**
 * The mean opinion score of a direction of the network, from 1 to 5, by the E-model of telephony with one term for loss.
 * Undefined: the statistics do not say enough.
 */
export function scoreNetwork(
  rttMs: number | undefined,
  jitterMs: number | undefined,
  lossPercent: number | undefined,
): number | undefined {
  if (jitterMs === undefined && lossPercent === undefined) return undefined
  const delayMs = (rttMs ?? 0) + 2 * (jitterMs ?? 0) + BASE_DELAY_MS
  const delayed = delayMs < NOTICED_DELAY_MS ? delayMs / 40 : (delayMs - 120) / 10
  const rating = Math.min(
    100,
    Math.max(0, GOOD_RATING - delayed - (lossPercent ?? 0) * RATING_LOST_PER_PERCENT),
  )
  const score = 1 + 0.035 * rating + 0.000007 * rating * (rating - 60) * (100 - rating)
  return Math.round(Math.min(5, Math.max(1, score)) * 100) / 100
}

/** Whether a report shows a network that its user notices. */
export function isPoor(sample: { readonly in_score?: number; readonly out_score?: number }) {
  return Math.min(sample.in_score ?? 5, sample.out_score ?? 5) < POOR_SCORE
}

const BAD_REPORTS_MIN = 2
const BAD_SHARE = 0.2

/** Whether the user may be asked about a call: a fifth of its reports was poor. */
export function isBadCall(side: { readonly reports: number; readonly poor_reports: number }) {
  return side.poor_reports >= BAD_REPORTS_MIN && side.poor_reports >= side.reports * BAD_SHARE
}
