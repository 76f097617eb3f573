import type { SanctionKind, SanctionReason } from '@duet/protocol/kernel/sanctions.ts'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { refuse } from '../../../lib/refusal.ts'
import { hadCall } from '../../calls/index.ts'
import { lockUser } from '../../identity/index.ts'
import { addNotice } from '../../notices/index.ts'
import { sanctionProcess } from './sanction-process.ts'
import { lockWaitingAppeals } from '../appeals/appeal-store.ts'
import { insertStatement, markTakenBack, openSanctions } from './sanction-store.ts'
import { findEarlierBan } from './standing-bans.ts'

export interface NewSanction {
  readonly user_id: UserId
  readonly kind: SanctionKind
  readonly reason: SanctionReason
  /** Null: without an end. */
  readonly until: Temporal.Instant | null
  readonly comment: string
  readonly automatic: boolean
  /** The call of the user in which the rule was broken. */
  readonly session_id?: number | undefined
  readonly by: string
}

/**
 * Bans or suspends a member, at the commit and on every path. A user has one ban, the longest of the open sanctions; each
 * act has its own statement and is taken back alone. Returns the number of the statement. Refuses not_found for a call of
 * others.
 */
export async function imposeSanction(tx: Tx, { by, ...sanction }: NewSanction): Promise<number> {
  const { user_id, kind, until, session_id } = sanction
  // Of two decisions at once the second sees the first: the stronger of the two counts.
  await lockUser(tx, user_id)
  if (session_id !== undefined && !(await hadCall(tx, session_id, user_id, user_id)))
    refuse('not_found')
  const statement_id = await insertStatement(tx, { ...sanction, imposed_by: by })
  await sanctionProcess(tx.app).openIn(tx, {
    state: {
      statement_id,
      user_id,
      kind,
      until,
      ended_at: null,
      lifted_by: null,
      lift_comment: null,
    },
    commands: [{ type: 'update_user' }],
  })
  if (kind === 'ban' && (await findEarlierBan(tx, { user_id, statement_id })) !== null)
    await addNotice(tx, {
      user_id,
      kind: 'statement',
      facts: { what: 'further', statement_id },
      key: `statement:${statement_id}:further`,
    })
  return statement_id
}

/** Takes every open sanction of a user back. Returns the numbers of their statements. */
export async function liftSanctions(
  tx: Tx,
  { user_id, by, comment }: { user_id: UserId; by: string; comment: string },
): Promise<number[]> {
  await lockWaitingAppeals(tx, user_id)
  await lockUser(tx, user_id)
  const lifted = await openSanctions(tx, user_id)
  for (const { statement_id } of lifted) {
    await liftSanction(tx, statement_id, { by, comment })
    await markTakenBack(tx, statement_id, by)
  }
  return lifted.map(({ statement_id }) => statement_id)
}

/** Ends one sanction. A sanction that has ended stays as it is. */
export async function liftSanction(
  tx: Tx,
  statement_id: number,
  lift: { readonly by: string; readonly comment: string },
): Promise<void> {
  const event = { type: 'lifted', ...lift } as const
  await sanctionProcess(tx.app).applyIn(tx, statement_id, event)
}
