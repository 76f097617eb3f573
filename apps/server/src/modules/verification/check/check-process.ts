import { sql } from 'kysely'
import type { App, Tx } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import { createProcessRuntime } from '../../../platform/process/process-runtime.ts'
import type { ProcessRuntime, ProcessType } from '../../../platform/process/process.ts'
import { setVerified, userById } from '../../identity/index.ts'
import { setting } from '../../settings/index.ts'
import { announceState, announceWarning } from '../announce.ts'
import { checkById, checksByIds, readOpenChecks } from '../queries.ts'
import { documentsDecided } from '../store.ts'
import {
  type CheckCommand,
  type CheckEvent,
  type CheckRules,
  decideCheck,
  type IdentityCheck,
  isOpen,
} from './check-rules.ts'
import { insertCheck, updateCheck } from './check-store.ts'

export function checkRules(app: App): CheckRules {
  const days = setting(app, 'kyc_warn_days').map(Number)
  return { warn_days: [...new Set(days)].sort((one, other) => other - one) }
}

/** Describes a check for the process runtime. `check-rules.ts` decides. */
const checkType: ProcessType<number, IdentityCheck, CheckEvent, CheckCommand> = {
  name: 'identity check',
  table: {
    name: 'identity_checks',
    id_column: 'check_id',
    open: sql`state in ('checking', 'verified') and wake_at is not null`,
    load: checkById,
    loadMany: checksByIds,
    insert: insertCheck,
    update: updateCheck,
  },
  isShared: true,
  idOf: ({ check_id }) => check_id,
  isOver: (check) => !isOpen(check),
  wakeAt: ({ wake_at }) => wake_at,
  wake_event: { type: 'wake_up' },
  recovery_event: { type: 'server_started' },
  decide: (app, check, event, now) => decideCheck(check, event, now, checkRules(app)),
  commands: {
    verify_user: {
      async store(tx, { state }) {
        await replaceFormer(tx, state)
        // A renewed verification does not show the user as new again.
        const row = await userById(tx, state.user_id)
        await setVerified(tx, state.user_id, row?.verified_at ?? tx.now)
      },
    },
    unverify_user: { store: (tx, { state }) => setVerified(tx, state.user_id, null) },
    announce: {
      async store(tx, draft) {
        // The announcement reads the row, so the row is written first.
        await draft.write(tx)
        await documentsDecided(tx, draft.state.check_id)
        await announceState(tx, draft.state)
      },
    },
    warn: { store: (tx, { state }, { days }) => announceWarning(tx, state, days) },
  },
}

/** Ends the verification that this check replaces, because a user has at most one verification. */
export async function replaceFormer(
  tx: Tx,
  { user_id, check_id }: Pick<IdentityCheck, 'user_id' | 'check_id'>,
): Promise<void> {
  for (const former of await readOpenChecks(tx, user_id)) {
    if (former.state !== 'verified' || former.check_id === check_id) continue
    await applyToCheck(tx, former.check_id, {
      type: 'revoked',
      by: `check ${check_id}`,
      reason: 'replaced',
    })
  }
}

export async function applyToCheck(tx: Tx, check_id: number, event: CheckEvent): Promise<void> {
  await checkProcess(tx.app).applyIn(tx, check_id, event)
}

export const checkProcess = perApp(
  'verification: process',
  'verifications with an end and their wake-up timers; recovered from rows',
  (app): ProcessRuntime<number, IdentityCheck, CheckEvent, CheckCommand> =>
    createProcessRuntime(app, checkType),
)

/** A new check that waits for a decision. */
export function waitingCheck(
  check_id: number,
  user_id: UserId,
  of: Pick<IdentityCheck, 'provider' | 'request'>,
  now: Temporal.Instant,
): IdentityCheck {
  return {
    ...of,
    check_id,
    user_id,
    state: 'checking',
    reason: null,
    asked_again: false,
    comment: null,
    opened_at: now,
    decided_at: null,
    decided_by: null,
    expires_at: null,
    warnings: 0,
    wake_at: null,
    closed_at: null,
  }
}
