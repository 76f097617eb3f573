import { limits } from '@duet/protocol/kernel/limits.ts'
import { productDay, startOfProductDay } from '../../../lib/clock.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { KycApplicant } from '../../../integrations/kyc/kyc.ts'
import { ageOn, parseDay, userById } from '../../identity/index.ts'
import {
  applyToCheck,
  checkProcess,
  checkRules,
  replaceFormer,
  waitingCheck,
} from '../check/check-process.ts'
import {
  type CheckEvent,
  type CheckReason,
  decideCheck,
  type IdentityCheck,
} from '../check/check-rules.ts'
import { insertCheck, lockUserChecks, nextCheckId } from '../check/check-store.ts'
import { announceState } from '../announce.ts'
import { readOpenChecks } from '../queries.ts'
import { keepApplicant } from './provider-store.ts'
import type { StoredNotice } from './receive-notice.ts'
import { userOfKey } from './token.ts'

const BY = 'sumsub'
/** After these notices a proof counts no longer. */
const WITHDRAWING: ReadonlySet<string> = new Set([
  'applicantReset',
  'applicantDeactivated',
  'applicantDeleted',
])
const NO_WARNINGS = { warn_days: [] }

/**
 * Applies a notice: reads the applicant from the provider and follows the answer, not the notice. Throws if
 * the provider does not answer, so that the outbox repeats the notice. A notice that is older than an
 * applied notice changes nothing.
 */
export async function applyNotice(app: App, notice: StoredNotice): Promise<void> {
  if (!app.kyc) return
  const isWithdrawn = WITHDRAWING.has(notice.type)
  const applicant =
    notice.type === 'applicantDeleted'
      ? undefined
      : await app.kyc.readApplicant(notice.applicant_id)
  const user_id = applicant
    ? userOfKey(applicant.user_key)
    : await knownUser(app, notice.applicant_id)
  if (user_id === undefined) return
  await app.transact(async (tx) => {
    await lockUserChecks(tx, user_id)
    const user = await userById(tx, user_id)
    if (!user?.role || user.erased_at) return
    const kept = applicant ?? { ...deleted(notice.applicant_id) }
    const notice_at = Temporal.Instant.from(notice.created_at)
    if (!(await keepApplicant(tx, kept, { user_id, notice_at }))) return
    if (isWithdrawn) return end(tx, user_id, 'revoked')
    await follow(tx, user_id, kept, app.kyc!.level)
  })
}

async function knownUser(app: App, applicant_id: string): Promise<UserId | undefined> {
  const row = await app.db
    .selectFrom('kyc_applicants')
    .select('user_id')
    .where('applicant_id', '=', applicant_id)
    .executeTakeFirst()
  return row?.user_id
}

function deleted(applicant_id: string): KycApplicant {
  return {
    applicant_id,
    user_key: '',
    level: undefined,
    answer: 'incomplete',
    is_final: false,
    birthday: undefined,
    valid_until: undefined,
  }
}

async function follow(tx: Tx, user_id: UserId, applicant: KycApplicant, level: string) {
  const { answer, is_final } = applicant
  if (answer === 'incomplete') return
  if (answer === 'open') return begin(tx, user_id)
  if (answer === 'red') return end(tx, user_id, 'provider', is_final)
  // A level below the configured level proves less.
  if (applicant.level !== undefined && applicant.level !== level) return
  const born = applicant.birthday === undefined ? undefined : parseDay(applicant.birthday)
  // Staff decide when the provider leaves one of them out.
  if (applicant.level === undefined || born === undefined) return begin(tx, user_id)
  if (ageOn(born, productDay(tx.now)) < limits.age_years) return end(tx, user_id, 'underage', true)
  const birthday = (await userById(tx, user_id))?.birthday
  if (!birthday?.equals(born)) return end(tx, user_id, 'birthday_differs')
  await approve(tx, user_id, applicant)
}

/** The documents are at the provider: the user's check waits, beside the verification that a renewal is for. */
async function begin(tx: Tx, user_id: UserId): Promise<void> {
  const open = await readOpenChecks(tx, user_id)
  if (open.some(({ state }) => state === 'checking')) return
  const state = await providerCheck(tx, user_id)
  await openCheck(tx, { state, commands: [] })
  await announceState(tx, state)
}

async function approve(tx: Tx, user_id: UserId, { valid_until }: KycApplicant): Promise<void> {
  const open = await readOpenChecks(tx, user_id)
  const lastDay = valid_until === undefined ? undefined : parseDay(valid_until)
  const expires_at = lastDay ? startOfProductDay(lastDay.add({ days: 1 })) : null
  const event: CheckEvent = { type: 'approved', by: BY, expires_at }
  const waiting = open.find(({ state, provider }) => state === 'checking' && provider === 'sumsub')
  if (waiting) return applyToCheck(tx, waiting.check_id, event)
  const inForce = open.find(({ state }) => state === 'verified')
  // The same verdict again, or a verdict that proves no more than the present verification.
  if (inForce && !isLater(expires_at, inForce.expires_at)) return
  const check = await providerCheck(tx, user_id)
  // A user has one verification: the row of the former verification must end before the next row is
  // written.
  await replaceFormer(tx, check)
  await openCheck(tx, decideCheck(check, event, tx.now, checkRules(tx.app)))
}

/** Whether a verification ends later than another verification. Null means no end. */
function isLater(end: Temporal.Instant | null, other: Temporal.Instant | null): boolean {
  if (other === null) return false
  return end === null || Temporal.Instant.compare(end, other) > 0
}

async function providerCheck(tx: Tx, user_id: UserId): Promise<IdentityCheck> {
  const of = { provider: 'sumsub', request: null } as const
  return waitingCheck(await nextCheckId(tx), user_id, of, tx.now)
}

/** Throws rather than losing the notice: it is repeated. */
async function openCheck(tx: Tx, decision: ReturnType<typeof decideCheck>): Promise<void> {
  if (!(await checkProcess(tx.app).openIn(tx, decision)))
    throw new Error('the user has a check in this state already')
}

/**
 * Declines the waiting check of the provider. A verification by the provider ends if the provider withdraws
 * it or declines it finally. A verification by staff stays.
 */
async function end(
  tx: Tx,
  user_id: UserId,
  reason: CheckReason,
  isFinal = reason === 'revoked',
): Promise<void> {
  const own = (await readOpenChecks(tx, user_id)).filter(({ provider }) => provider === 'sumsub')
  for (const { check_id, state } of own) {
    if (state === 'checking') await applyToCheck(tx, check_id, { type: 'declined', by: BY, reason })
    else if (isFinal) await applyToCheck(tx, check_id, { type: 'revoked', by: BY, reason })
  }
  if (own.length > 0 || reason === 'revoked') return
  // The notice that it waits never came, or came later: the user reads the reason all the same.
  const waiting = await providerCheck(tx, user_id)
  const { state } = decideCheck(waiting, { type: 'declined', by: BY, reason }, tx.now, NO_WARNINGS)
  await insertCheck(tx, state, { owner_id: null, fence: 1, version: 1 })
  await announceState(tx, state)
}
