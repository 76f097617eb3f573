import type { BulkKind } from '@duet/protocol/contracts/bulk.ts'
import { type PenaltyPlace, RuleName } from '@duet/protocol/contracts/moderation.ts'
import { BanReason } from '@duet/protocol/kernel/sanctions.ts'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { lockUser } from '../identity/index.ts'
import { imposePenalty } from './penalties/impose-penalty.ts'
import { permittedAmount } from './penalties/permitted-amount.ts'
import { announceStatement } from './sanctions/announce-statement.ts'
import { permittedEnd } from './sanctions/ban-end.ts'
import { imposeSanction } from './sanctions/impose-sanction.ts'
import { alignEnd, findEarlierBan } from './sanctions/standing-bans.ts'

export interface ActOnUser {
  readonly user_id: UserId
  readonly decision: 'warning' | 'penalty' | 'ban'
  /** The reason of a ban, or the broken rule. */
  readonly reason: string
  readonly until: Temporal.Instant | null
  /** Units of coins of a penalty. */
  readonly amount?: bigint | undefined
  readonly place: PenaltyPlace
  readonly comment: string
  readonly by: string
}

/**
 * The act by which staff decide a case against a user. A ban never fails because the user is banned already: the longer one
 * counts. Returns the statement that the user reads.
 */
export async function actOnUser(tx: Tx, act: ActOnUser): Promise<number> {
  const { user_id, decision, reason, until, amount, place, comment, by } = act
  if (decision === 'penalty')
    return imposePenalty(tx, {
      user_id,
      reason: RuleName.parse(reason),
      place,
      amount: amount ?? refuse('invalid'),
      comment,
      by,
    })
  const imposed = { user_id, comment, automatic: false }
  if (decision === 'ban') {
    // Of two decisions at once the second sees the ban of the first.
    await lockUser(tx, user_id)
    const end = await alignEnd(tx, { user_id, reason, until })
    const ban = { kind: 'ban', reason: BanReason.parse(reason), until: end, by } as const
    return imposeSanction(tx, { ...imposed, ...ban })
  }
  return announceStatement(tx, { user_id, kind: 'warning', reason, comment, by })
}

/** The limit under which a decision of staff counts; a case without an act counts as well. */
export function bulkKind(decision: ActOnUser['decision'] | 'no_violation'): BulkKind {
  return decision === 'no_violation' ? 'dismissal' : decision
}

/** A fact for the audit log: the earlier ban that stands, because the ban of this decision ends no later. */
export async function readEarlierBan(
  tx: Tx,
  user_id: UserId,
  decided: { readonly decision: string; readonly statement_id: number | null },
): Promise<{ readonly earlier_ban?: number }> {
  const { decision, statement_id } = decided
  if (decision !== 'ban' || statement_id === null) return {}
  const earlier = await findEarlierBan(tx, { user_id, statement_id })
  return earlier === null ? {} : { earlier_ban: earlier }
}

/** The words of a decision in the audit log. A decision without an act has a note, which the user does not read. */
export function auditedWords(
  statement_id: number | null,
  { reason, comment }: { readonly reason: string; readonly comment: string },
): { readonly reason: string; readonly words?: string } {
  return statement_id === null ? { reason: comment } : { reason, words: comment }
}

/** The reason that a decision of staff needs; empty for none. Refuses invalid. */
export function neededReason(decision: string, reason: string | undefined): string {
  if (decision === 'no_violation') return ''
  const known = decision === 'ban' ? BanReason : RuleName
  const parsed = known.safeParse(reason)
  if (parsed.success) return parsed.data
  return refuse('invalid', {
    fields: [{ path: 'reason', message: `One of ${known.options.join(', ')}` }],
  })
}

interface GivenDecision {
  readonly decision: string
  readonly reason?: string | undefined
  readonly until?: string | null | undefined
  readonly hours?: number | undefined
  readonly amount?: string | undefined
}

/** The reason, end and amount of a decision that this member of staff may take. Refuses invalid, role_forbidden. */
export function permittedDecision(
  app: App,
  staff: Staff,
  { decision, reason, until, hours, amount }: GivenDecision,
) {
  return {
    reason: neededReason(decision, reason),
    until: decision === 'ban' ? permittedEnd(app, staff, { until, hours }) : null,
    amount: decision === 'penalty' ? permittedAmount(app, staff, amount) : undefined,
  }
}
