import { limits } from '@duet/protocol'
import type { Signal } from '@duet/protocol/contracts/signaling.ts'
import type { Side } from './call/call.ts'

interface Kept {
  readonly signal: Signal
  readonly at_ms: number
}

/**
 * What lies between the two pages of a call: signals of the present guid for whoever is not in yet. Memory only: after a
 * restart the pages negotiate anew if they must.
 */
export interface SignalDesk {
  guid: string
  /** Both had `new_peer` of this guid. */
  started: boolean
  readonly joined: Record<Side, boolean>
  kept: Record<Side, Kept[]>
}

export function newSignalDesk(guid: string, started: boolean): SignalDesk {
  return { guid, started, joined: { guy: false, girl: false }, kept: { guy: [], girl: [] } }
}

/** A fresh peer connection: nothing of the former one may reach the new one. */
export function renewDesk(desk: SignalDesk, guid: string): void {
  desk.guid = guid
  desk.started = false
  desk.kept = { guy: [], girl: [] }
}

/** Keeps a signal for whoever is not in, within the limits of the wire; the rest is dropped. */
export function keepSignal(desk: SignalDesk, to: Side, signal: Signal, at_ms: number): void {
  const kept = freshOf(desk.kept[to], at_ms)
  const candidates = kept.filter((one) => one.signal.type_signal === 'ice-candidate').length
  const isFull =
    kept.length >= limits.kept_signals ||
    (signal.type_signal === 'ice-candidate' && candidates >= limits.kept_candidates)
  if (!isFull) kept.push({ signal, at_ms })
  desk.kept[to] = kept
}

/** What was kept for this side, in order, once. */
export function takeKept(desk: SignalDesk, side: Side, at_ms: number): Signal[] {
  const kept = freshOf(desk.kept[side], at_ms).map(({ signal }) => signal)
  desk.kept[side] = []
  return kept
}

function freshOf(kept: readonly Kept[], at_ms: number): Kept[] {
  return kept.filter((one) => at_ms - one.at_ms < limits.kept_signal_seconds * 1000)
}
