import { limits } from '@duet/protocol/kernel/limits.ts'
import { productDay } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { type Actor, writeAudit } from '../audit/index.ts'
import { checkBulk } from '../bulk/index.ts'
import { ageOn, setVerified, userById } from '../identity/index.ts'
import { applyToCheck, checkProcess, waitingCheck } from './check/check-process.ts'
import {
  type CheckAnswer,
  type CheckReason,
  decideCheck,
  type IdentityCheck,
} from './check/check-rules.ts'
import { insertCheck, lockUserChecks, nextCheckId } from './check/check-store.ts'
import { announceState } from './announce.ts'
import { checkById, readStanding } from './queries.ts'

/** Runs in the transaction of the decision, before it. */
interface DecidedInside {
  readonly inside?: (tx: Tx) => Promise<void>
}

/** The last instant of a verification; null: the document has no known end. */
interface Approval extends DecidedInside {
  readonly by: string
  readonly expires_at: Temporal.Instant | null
}

/** Approves a waiting check: the user is verified until the document expires. Refuses not_found, birthday_invalid. */
export function approveCheck(
  app: App,
  check_id: number,
  { inside, ...approval }: Approval,
): Promise<IdentityCheck> {
  return decide(app, check_id, async (tx, { user_id }) => {
    await inside?.(tx)
    const birthday = (await userById(tx, user_id))?.birthday
    if (!birthday || ageOn(birthday, productDay(tx.now)) < limits.age_years)
      refuse('birthday_invalid')
    return { type: 'approved', ...approval }
  })
}

/** Declines a waiting check; the user hears the reason and may send again. Refuses not_found. */
export function declineCheck(
  app: App,
  check_id: number,
  { inside, ...decision }: DecidedInside & { readonly by: string } & CheckAnswer,
): Promise<IdentityCheck> {
  return decide(app, check_id, async (tx) => {
    await inside?.(tx)
    return { type: 'declined', ...decision }
  })
}

type Decided = Extract<Parameters<typeof decideCheck>[1], { type: 'approved' | 'declined' }>

async function decide(
  app: App,
  check_id: number,
  event: (tx: Tx, check: IdentityCheck) => Promise<Decided>,
): Promise<IdentityCheck> {
  const decided = await checkProcess(app).dispatch(check_id, async (tx, check) => {
    if (check.state !== 'checking') refuse('decided')
    return event(tx, check)
  })
  if (decided === undefined || decided.length === 0) refuse('not_found')
  return (await checkById(app.db, check_id)) ?? refuse('not_found')
}

interface AuditedDecision {
  /** Null: it was approved. */
  readonly reason: string | null
  readonly asked_again?: boolean
  /** The points that were found right. */
  readonly checked?: readonly string[]
}

/** Counts an approval and writes the entry of the audit log about a decision on an identity. Refuses bulk_stopped. */
export async function auditDecision(
  tx: Tx,
  staff: Actor,
  { user_id, check_id }: { readonly user_id: UserId; readonly check_id: number | null },
  { reason, asked_again = false, checked = [] }: AuditedDecision,
): Promise<void> {
  if (reason === null) await checkBulk(tx, staff, 'verification')
  const declined = asked_again ? 'identity_ask' : 'identity_decline'
  const act = reason === null ? 'identity_approve' : declined
  const facts = { check_id, checked: checked.length === 0 ? null : checked }
  await writeAudit(tx, { staff, act, user_id, reason: reason ?? '', facts, load: 'plain' })
}

/**
 * Verifies a user without documents, as the operator may. Approves the waiting check, or opens a check that
 * is approved at once. A repeat changes nothing.
 */
export function verifyUser(
  app: App,
  user_id: UserId,
  { by, inside }: DecidedInside & { readonly by: string },
): Promise<void> {
  return app.transact(async (tx) => {
    await inside?.(tx)
    await lockUserChecks(tx, user_id)
    const { checking, is_verify } = await readStanding(tx, user_id)
    const approved = { type: 'approved', by, expires_at: null } as const
    if (checking) await applyToCheck(tx, checking.check_id, approved)
    else if (!is_verify) {
      const of = { provider: 'staff', request: null } as const
      const check = waitingCheck(await nextCheckId(tx), user_id, of, tx.now)
      await checkProcess(app).openIn(tx, decideCheck(check, approved, tx.now, { warn_days: [] }))
    }
  })
}

/**
 * Ends the verification and declines the waiting check. A user without any check gets a closed check with
 * the reason.
 */
export function unverifyUser(
  app: App,
  user_id: UserId,
  { inside, ...of }: DecidedInside & { readonly by: string; readonly reason: CheckReason },
): Promise<void> {
  return app.transact(async (tx) => {
    await inside?.(tx)
    await lockUserChecks(tx, user_id)
    const { checking, verified, is_verify } = await readStanding(tx, user_id)
    if (checking) await applyToCheck(tx, checking.check_id, { type: 'declined', ...of })
    if (verified) await applyToCheck(tx, verified.check_id, { type: 'revoked', ...of })
    if (checking || verified) return
    const waiting = waitingCheck(
      await nextCheckId(tx),
      user_id,
      { provider: 'staff', request: null },
      tx.now,
    )
    const { state } = decideCheck(waiting, { type: 'declined', ...of }, tx.now, { warn_days: [] })
    await insertCheck(tx, state, { owner_id: null, fence: 1, version: 1 })
    if (is_verify) await setVerified(tx, user_id, null)
    await announceState(tx, state)
  })
}
