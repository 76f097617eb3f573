import type { SanctionKind, StandingSanction } from '@duet/protocol/kernel/sanctions.ts'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { findStrongest } from './sanction-rules.ts'
import { openWithReasons } from './sanction-store.ts'

/** Two members of staff who choose the same length within this time mean the same ban. */
const SAME_END_MINUTES = 5

interface NewBan {
  readonly user_id: UserId
  readonly reason: string
  readonly until: Temporal.Instant | null
}

/** Refuses banned_already where a present ban has the same reason and ends no earlier than the new one would. */
export async function refuseCovered(tx: Tx, { user_id, reason, until }: NewBan): Promise<void> {
  const same = (await openWithReasons(tx, user_id)).filter(
    (one) => one.kind === 'ban' && one.reason === reason,
  )
  const present = findStrongest(same)
  if (present && covers(present.until, until))
    refuse('banned_already', { until: present.until && wireTime(present.until) })
}

function covers(present: Temporal.Instant | null, until: Temporal.Instant | null): boolean {
  if (present === null) return true
  if (until === null) return false
  const latest = present.add({ minutes: SAME_END_MINUTES })
  return Temporal.Instant.compare(until, latest) <= 0
}

/**
 * After a ban or suspension was taken back: the other act under which its user stays, for the member of staff who took it
 * back. Empty: the user is free, or the act was no sanction.
 */
export async function readStanding(
  tx: Tx,
  { user_id, kind }: { readonly user_id: UserId; readonly kind: string },
): Promise<{ standing?: StandingSanction }> {
  if (kind !== 'ban' && kind !== 'suspension') return {}
  const other = findStrongest(await openWithReasons(tx, user_id))
  if (!other) return {}
  const { statement_id, reason, until } = other
  const end = until && wireTime(until)
  return { standing: { statement_id, kind: other.kind as SanctionKind, reason, until: end } }
}
