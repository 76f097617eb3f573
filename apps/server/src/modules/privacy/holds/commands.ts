import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App } from '../../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../../core/module.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { shellActor, writeAudit } from '../../audit/index.ts'
import { findUserId } from '../../identity/index.ts'
import { deletionProcess } from '../deletion/deletion-process.ts'
import { findOpenDeletion } from '../deletion/queries.ts'
import { liftHold, placeHold } from './hold-store.ts'
import { openHolds } from './queries.ts'

const REASON_MAX = 500

async function add(app: App, given: CommandArguments) {
  const {
    words,
    options: { reason },
  } = given
  if (typeof reason !== 'string' || reason === '' || reason.length > REASON_MAX)
    refuse('invalid', {
      fields: [
        { path: 'reason', message: `--reason is needed, of ${REASON_MAX} characters at most` },
      ],
    })
  const user_id = await findUserId(app, words[0])
  const staff = shellActor(given)
  const hold_id = await app.transact(async (tx) => {
    const hold_id = await placeHold(tx, { user_id, reason, placed_by: 'operator' })
    await writeAudit(tx, { staff, act: 'hold_add', user_id, reason, facts: { hold_id } })
    return hold_id
  })
  return { hold_id, user_id }
}

/** A deletion that waited for this hold goes on at once. */
async function remove(app: App, given: CommandArguments) {
  const hold_id = parseId(given.words[0] ?? '') ?? refuse('not_found')
  return app.transact(async (tx) => {
    const user_id = (await liftHold(tx, hold_id)) ?? refuse('not_found')
    const facts = { hold_id }
    await writeAudit(tx, { staff: shellActor(given), act: 'hold_remove', user_id, facts })
    const open = await findOpenDeletion(tx, user_id)
    if (open) await deletionProcess(app).applyIn(tx, open.deletion_id, { type: 'hold_lifted' })
    return { hold_id, user_id }
  })
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'hold add': {
    args: 'ID|EMAIL --reason TEXT [--as NAME]',
    summary:
      'Keeps the evidence about a user: a deletion of the account closes it and erases nothing.',
    run: add,
  },
  'hold remove': {
    args: 'HOLD_ID [--as NAME]',
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
