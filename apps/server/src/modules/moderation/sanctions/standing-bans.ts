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
export async function refuseCovered(tx: Tx, ban: NewBan): Promise<void> {
  const present = await findCovering(tx, ban)
  if (present) refuse('banned_already', { until: present.until && wireTime(present.until) })
}

async function findCovering(tx: Tx, { user_id, reason, until }: NewBan) {
  const same = (await openWithReasons(tx, user_id)).filter(
    (one) => one.kind === 'ban' && one.reason === reason,
  )
  const present = findStrongest(same)
  return present && covers(present.until, until) ? present : undefined
}

/**
 * The end of a ban that decides a case. A ban of the same length that stands already is not made longer by the minutes between
 * the two decisions. The user must be locked.
 */
export async function alignEnd(tx: Tx, ban: NewBan): Promise<Temporal.Instant | null> {
  const { until } = ban
  const present = await findCovering(tx, ban)
  if (!present?.until || !until) return until
  return Temporal.Instant.compare(present.until, until) < 0 ? present.until : until
}

/** The ban that counts beside this one, if it is another one: the act that staff have just imposed adds to it. */
export async function findEarlierBan(
  tx: Tx,
  { user_id, statement_id }: { readonly user_id: UserId; readonly statement_id: number },
): Promise<number | null> {
  const bans = (await openWithReasons(tx, user_id)).filter(({ kind }) => kind === 'ban')
  const strongest = findStrongest(bans)
  return strongest && strongest.statement_id !== statement_id ? strongest.statement_id : null
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
