import { limits } from '@duet/protocol'
import type { Signal } from '@duet/protocol/contracts/signaling.ts'
import type { Side } from '../rules/call.ts'
import { noCandidates, type SentCandidates } from './signal-filter.ts'

interface PendingSignal {
  readonly signal: Signal
  readonly at_ms: number
}

/**
 * The negotiation between the two pages of a call. It has the sides that have joined, and the signals of
 * the current guid for a side that is not ready. Memory only: after a restart the pages negotiate again if
 * they must.
 */
export interface SignalBuffer {
  guid: string
  /** Both sides have received `new_peer` of this guid. */
  started: boolean
  readonly joined: Record<Side, boolean>
  /** This side has received `new_peer` of this guid and the buffered signals, so the next signals follow them. */
  readonly ready: Record<Side, boolean>
  pending: Record<Side, PendingSignal[]>
  sent: Record<Side, SentCandidates>
}

export function createSignalBuffer(guid: string, started: boolean): SignalBuffer {
  return {
    guid,
    started,
    joined: { guy: false, girl: false },
    ready: { guy: false, girl: false },
    pending: { guy: [], girl: [] },
    sent: { guy: noCandidates(), girl: noCandidates() },
  }
}

/** Starts a new peer connection: no signal of the previous connection may reach it. */
export function reset(signals: SignalBuffer, guid: string): void {
  const { guy, girl } = signals.joined
  Object.assign(signals, createSignalBuffer(guid, false), { joined: { guy, girl } })
}

/** Buffers a signal for a side that is not ready. Beyond the limit the signal is dropped. */
export function buffer(signals: SignalBuffer, to: Side, signal: Signal, atMs: number): void {
  const pending = unexpired(signals.pending[to], atMs)
  if (pending.length < limits.kept_signals) pending.push({ signal, at_ms: atMs })
  signals.pending[to] = pending
}

/** Returns the buffered signals for this side in order, and empties its buffer. */
export function drain(signals: SignalBuffer, side: Side, atMs: number): Signal[] {
  const pending = unexpired(signals.pending[side], atMs).map(({ signal }) => signal)
  signals.pending[side] = []
  return pending
}

function unexpired(pending: readonly PendingSignal[], atMs: number): PendingSignal[] {
  return pending.filter((one) => atMs - one.at_ms < limits.kept_signal_seconds * 1000)
}
