import type { SanctionKind } from '@duet/protocol/kernel/sanctions.ts'
import type { Decision } from '@duet/state-machine/state-machine.ts'
import type { UserId } from '../../../core/ids.ts'

/** A ban ends at its time or by staff. A suspension has no time: staff end it when they have decided. */
export interface Sanction {
  readonly statement_id: number
  readonly user_id: UserId
  readonly kind: SanctionKind
  /** Null: without an end. */
  readonly until: Temporal.Instant | null
  readonly ended_at: Temporal.Instant | null
  /** The member of staff who ended it before its time, and the reason. */
  readonly lifted_by: string | null
  readonly lift_comment: string | null
}

export type SanctionEvent =
  | { readonly type: 'time_came' }
  | { readonly type: 'server_started' }
  | { readonly type: 'lifted'; readonly by: string; readonly comment: string }

/** The user is banned by the strongest of the open sanctions, or by none. */
export interface SanctionCommand {
  readonly type: 'update_user'
}

export function isOpenSanction({ ended_at }: Pick<Sanction, 'ended_at'>): boolean {
  return ended_at === null
}

/** Decides what an event does to a sanction. A sanction that has ended does not change. */
export function decideSanction(
  sanction: Sanction,
  event: SanctionEvent,
  now: Temporal.Instant,
): Decision<Sanction, SanctionCommand> {
  if (!isOpenSanction(sanction)) return { state: sanction, commands: [] }
  if (event.type === 'lifted')
    return end({ ...sanction, lifted_by: event.by, lift_comment: event.comment }, now)
  const { until } = sanction
  return until && Temporal.Instant.compare(until, now) <= 0
    ? end(sanction, now)
    : { state: sanction, commands: [] }
}

function end(sanction: Sanction, now: Temporal.Instant): Decision<Sanction, SanctionCommand> {
  return { state: { ...sanction, ended_at: now }, commands: [{ type: 'update_user' }] }
}

/**
 * The sanction that counts: one without an end before one with an end, then the later end, then a ban before a suspension. Of
 * two that are equal the earlier stands, so that the user is not told of a new ban that changes nothing.
 */
export function findStrongest<
  S extends Pick<Sanction, 'statement_id' | 'until'> & { readonly kind: string },
>(open: readonly S[]): S | undefined {
  return open.toSorted(
    (one, other) =>
      compareEnds(other.until, one.until) ||
      Number(other.kind === 'ban') - Number(one.kind === 'ban') ||
      one.statement_id - other.statement_id,
  )[0]
}

function compareEnds(one: Temporal.Instant | null, other: Temporal.Instant | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return Temporal.Instant.compare(one, other)
}
