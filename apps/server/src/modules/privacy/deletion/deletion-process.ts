import { sql } from 'kysely'
import { perApp } from '../../../core/app-state.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { ProcessRuntime, ProcessType } from '../../../platform/process/process.ts'
import { createProcessRuntime } from '../../../platform/process/process-runtime.ts'
import { closeAccount } from '../../logins/index.ts'
import { hasEvidenceHold } from '../holds/queries.ts'
import {
  decideDeletion,
  type Deletion,
  type DeletionCommand,
  type DeletionEvent,
  isOpenDeletion,
} from './deletion-rules.ts'
import { insertDeletion, updateDeletion } from './deletion-store.ts'
import { deletionById, deletionsByIds } from './queries.ts'

/** A deletion as the process runtime runs it: `deletion-rules.ts` decides. */
const deletionType: ProcessType<string, Deletion, DeletionEvent, DeletionCommand> = {
  name: 'account deletion',
  table: {
    name: 'account_deletions',
    id_column: 'deletion_id',
    open: sql`closed_at is null`,
    load: deletionById,
    loadMany: deletionsByIds,
    insert: insertDeletion,
    update: updateDeletion,
  },
  idOf: ({ deletion_id }) => deletion_id,
  isOver: (deletion) => !isOpenDeletion(deletion),
  wakeAt: ({ wake_at }) => wake_at,
  wake_event: { type: 'time_came' },
  recovery_event: { type: 'server_started' },
  decide: (_app, deletion, event, now) => decideDeletion(deletion, event, now),
  commands: {
    close_account: {
      async store(tx, { state: { user_id } }) {
        if (!(await closeAccount(tx, user_id))) return { type: 'came_back' }
        return { type: 'closed', is_held: await hasEvidenceHold(tx, user_id) }
      },
    },
    look_for_hold: {
      store: async (tx, { state: { user_id } }) => ({
        type: 'closed',
        is_held: await hasEvidenceHold(tx, user_id),
      }),
    },
    erase_step: { store: eraseStep },
  },
}

/** A hold that was placed after the account was closed stops the erasure too: what is left stays. */
async function eraseStep(
  tx: Tx,
  { state: { user_id } }: { readonly state: Deletion },
): Promise<DeletionEvent> {
  if (await hasEvidenceHold(tx, user_id)) return { type: 'held_back' }
  return { type: 'stepped', has_more: (await tx.app.eraseUser(tx, user_id)) === 'more' }
}

export const deletionProcess = perApp(
  'privacy: deletions',
  'open requests to delete an account and their wake-up timers; recovered from rows',
  (app: App): ProcessRuntime<string, Deletion, DeletionEvent, DeletionCommand> =>
    createProcessRuntime(app, deletionType),
)
