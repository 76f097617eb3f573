import { sql } from 'kysely'
import type { App, Tx } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import { createProcessRuntime } from '../../../platform/process/process-runtime.ts'
import type { ProcessRuntime, ProcessType } from '../../../platform/process/process.ts'
import { changeUser, lockUser } from '../../identity/index.ts'
import { addNotice } from '../../notices/index.ts'
import { announceBan } from './end-if-banned.ts'
import {
  decideSanction,
  findStrongest,
  isOpenSanction,
  type Sanction,
  type SanctionCommand,
  type SanctionEvent,
} from './sanction-rules.ts'
import {
  insertSanction,
  openSanctions,
  sanctionById,
  sanctionsByIds,
  updateSanction,
} from './sanction-store.ts'

/** A sanction as the process runtime runs it: `sanction-rules.ts` decides. */
const sanctionType: ProcessType<number, Sanction, SanctionEvent, SanctionCommand> = {
  name: 'sanction',
  table: {
    name: 'sanctions',
    id_column: 'statement_id',
    open: sql`ended_at is null and wake_at is not null`,
    load: sanctionById,
    loadMany: sanctionsByIds,
    insert: insertSanction,
    update: updateSanction,
  },
  isShared: true,
  idOf: ({ statement_id }) => statement_id,
  isOver: (sanction) => !isOpenSanction(sanction),
  wakeAt: ({ until, ended_at }) => (ended_at === null ? until : null),
  wake_event: { type: 'time_came' },
  recovery_event: { type: 'server_started' },
  decide: (_app, sanction, event, now) => decideSanction(sanction, event, now),
  // The answer of the commit was lost, and with it what follows a ban: the end of the call and of the search.
  reconciled: (app, { user_id }) => announceBan(app, user_id),
  commands: {
    update_user: {
      async store(tx, draft) {
        await draft.write(tx)
        await updateUser(tx, draft.state.user_id)
      },
    },
  },
}

/** Stores which sanction counts for a user now, and notifies the user and the other modules of a change. */
async function updateUser(tx: Tx, user_id: UserId): Promise<void> {
  const former = await lockUser(tx, user_id)
  const strongest = findStrongest(await openSanctions(tx, user_id))
  const sanction_id = strongest?.statement_id ?? null
  if (!former || former.sanction_id === sanction_id) return
  await changeUser(tx, user_id, { sanction_id })
  if (strongest) {
    await tx.notify(user_id, 'banned', { statement_id: strongest.statement_id })
    await tx.publish('banned', { user_id })
  } else {
    await tx.notify(user_id, 'unbanned', {})
    await tx.publish('unbanned', { user_id })
  }
  await addNotice(tx, {
    user_id,
    kind: 'statement',
    facts: { what: strongest?.kind ?? 'over', statement_id: sanction_id ?? former.sanction_id! },
    key: `statement:${sanction_id ?? former.sanction_id}:${strongest ? 'begun' : 'over'}`,
  })
}

export const sanctionProcess = perApp(
  'moderation: sanctions',
  'bans with an end and their wake-up timers; recovered from rows',
  (app: App): ProcessRuntime<number, Sanction, SanctionEvent, SanctionCommand> =>
    createProcessRuntime(app, sanctionType),
)
