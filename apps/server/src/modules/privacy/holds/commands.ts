import type { App } from '../../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../../core/module.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { findUserId } from '../../identity/index.ts'
import { deletionProcess } from '../deletion/deletion-process.ts'
import { findOpenDeletion } from '../deletion/queries.ts'
import { liftHold, placeHold } from './hold-store.ts'
import { openHolds } from './queries.ts'

const REASON_MAX = 500

async function add(app: App, { words, options: { reason } }: CommandArguments) {
  if (typeof reason !== 'string' || reason === '' || reason.length > REASON_MAX)
    refuse('invalid', {
      fields: [
        { path: 'reason', message: `--reason is needed, of ${REASON_MAX} characters at most` },
      ],
    })
  const user_id = await findUserId(app, words[0])
  const hold_id = await app.transact((tx) =>
    placeHold(tx, { user_id, reason, placed_by: 'operator' }),
  )
  return { hold_id, user_id }
}

/** A deletion that waited for this hold goes on at once. */
async function remove(app: App, { words: [id = ''] }: CommandArguments) {
  if (!/^\d{1,15}$/.test(id)) refuse('not_found')
  return app.transact(async (tx) => {
    const user_id = (await liftHold(tx, Number(id))) ?? refuse('not_found')
    const open = await findOpenDeletion(tx, user_id)
    if (open) await deletionProcess(app).applyIn(tx, open.deletion_id, { type: 'hold_lifted' })
    return { hold_id: Number(id), user_id }
  })
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'hold add': {
    args: 'ID|EMAIL --reason TEXT',
    summary:
      'Keeps the evidence about a user: a deletion of the account closes it and erases nothing.',
    run: add,
  },
  'hold remove': {
    args: 'HOLD_ID',
    summary: 'Ends a hold; a deletion that waited for it goes on.',
    run: remove,
  },
  'hold list': {
    args: '',
    summary: 'Lists the holds that stand, the oldest first.',
    run: async (app) => ({
      holds: (await openHolds(app.db)).map((hold) => ({
        ...hold,
        placed_at: wireTime(hold.placed_at),
      })),
    }),
  },
}
