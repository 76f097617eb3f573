import { limits } from '@duet/protocol'
import type { Signal } from '@duet/protocol/contracts/signaling.ts'
import { permittedCandidate, type AddressPolicy } from './ice-candidate.ts'

/** The candidates that one side has sent for the current peer connection. */
export interface SentCandidates {
  /** A repeated candidate is no new destination: a page that restarts ICE sends its former candidates again. */
  readonly destinations: Set<string>
  /** How many candidates were forwarded, including repeated candidates. */
  forwarded: number
}

export function noCandidates(): SentCandidates {
  return { destinations: new Set(), forwarded: 0 }
}

/**
 * The part of a signal that the other page may get: permitted candidates and a description without
 * addresses outside of its candidates. One peer connection gets at most `limits.candidates` different
 * candidates and `limits.forwarded_candidates` in all. Each candidate is rebuilt from its parts. Undefined
 * if nothing is left.
 */
export function filterSignal(
  signal: Signal,
  policy: AddressPolicy,
  sent: SentCandidates,
): Signal | undefined {
  if (signal.type_signal === 'offer')
    return {
      ...signal,
      data: { ...signal.data, sdp: filterDescription(signal.data.sdp, policy, sent) },
    }
  const { data } = signal
  // `reached`, or the end of the candidates.
  if (data === null || data.candidate === '') return signal
  const candidate = takeCandidate(data.candidate, policy, sent)
  return candidate === undefined ? undefined : { ...signal, data: { ...data, candidate } }
}

function takeCandidate(
  candidate: string,
  policy: AddressPolicy,
  sent: SentCandidates,
): string | undefined {
  const permitted = permittedCandidate(candidate, policy)
  if (!permitted || sent.forwarded >= limits.forwarded_candidates) return undefined
  const { destinations } = sent
  if (!destinations.has(permitted.destination)) {
    if (destinations.size >= limits.candidates) return undefined
    destinations.add(permitted.destination)
  }
  sent.forwarded += 1
  return permitted.line
}

/** A line of a description: a letter, an equals sign, and text without control characters. */
// oxlint-disable-next-line no-control-regex -- the pattern names control characters because it must refuse them
const LINE = /^[a-z]=[^\s\u0000-\u001f\u007f][^\u0000-\u001f\u007f\u0085\u2028\u2029]*$/
const CANDIDATE_LINE = /^a=candidate(?:[^a-z-]|$)/i
/** The initiator's list of chosen candidates: browsers choose by their own checks. */
const REMOTE_CANDIDATES_LINE = /^a=remote-candidates/i

/**
 * Browsers break lines at `\n` and at `\r\n`. A lone `\r` counts as a break too, so that no line hides
 * behind it. Lines outside the format are dropped.
 */
function filterDescription(sdp: string, policy: AddressPolicy, sent: SentCandidates): string {
  const lines: string[] = []
  for (const line of sdp.split(/\r\n|\r|\n/)) {
    if (!LINE.test(line) || REMOTE_CANDIDATES_LINE.test(line)) continue
    if (!CANDIDATE_LINE.test(line)) {
      lines.push(withoutAddress(line))
      continue
    }
    const candidate = takeCandidate(line.slice('a='.length), policy, sent)
    if (candidate !== undefined) lines.push(`a=${candidate}`)
  }
  return lines.map((line) => `${line}\r\n`).join('')
}

/** Addresses outside of candidates: browsers ignore them and connect by the candidates alone. */
function withoutAddress(line: string): string {
  if (line.startsWith('c=')) return 'c=IN IP4 0.0.0.0'
  if (line.startsWith('o=')) return line.replace(/ IN .*$/, ' IN IP4 0.0.0.0')
  return line.replace(/^(a=rtcp:\d+) .*$/i, '$1 IN IP4 0.0.0.0')
}
