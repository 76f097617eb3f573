import { PenaltyPlace, RuleName } from '@duet/protocol/contracts/moderation.ts'
import { Amount } from '@duet/protocol/kernel/primitives.ts'
import type { App } from '../../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../../core/module.ts'
import { wireTime } from '../../../lib/clock.ts'
import { fromDecimal, toWire } from '../../../lib/money.ts'
import { operatorName } from '../../../platform/operator/operator-name.ts'
import { shellActor, writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { findUserId } from '../../identity/index.ts'
import { neededComment, refuseOption } from '../sanctions/commands.ts'
import { imposePenalty } from './impose-penalty.ts'
import { readPenalties } from './penalty-store.ts'

const LISTED_MAX = 100

/** The coins of a penalty in units. Refuses invalid unless they are more than 0. */
export function readCoins({ options: { amount } }: CommandArguments): bigint {
  const parsed = Amount.safeParse(amount)
  const units = parsed.success ? fromDecimal('coin', parsed.data) : 0n
  return units > 0n ? units : refuseOption('amount', '--amount is coins, more than 0')
}

async function impose(app: App, given: CommandArguments) {
  const user_id = await findUserId(app, given.words[0])
  const reason = RuleName.safeParse(given.options.reason)
  const place = PenaltyPlace.safeParse(given.options.place)
  if (!reason.success) refuseOption('reason', `--reason is one of ${RuleName.options.join(', ')}`)
  if (!place.success) refuseOption('place', `--place is one of ${PenaltyPlace.options.join(', ')}`)
  const amount = readCoins(given)
  const penalty = {
    user_id,
    reason: reason.data,
    place: place.data,
    amount,
    comment: neededComment(given),
    by: operatorName(given),
  }
  return app.transact(async (tx) => {
    const staff = shellActor(given)
    await checkBulk(tx, staff, 'penalty')
    const statement_id = await imposePenalty(tx, penalty)
    await writeAudit(tx, {
      staff,
      act: 'penalty_impose',
      user_id,
      reason: reason.data,
      words: penalty.comment,
      facts: { statement_id, amount: toWire('coin', amount) },
    })
    return { statement_id }
  })
}

async function list(app: App, given: CommandArguments) {
  const id = await findUserId(app, given.words[0])
  const rows = await readPenalties(app.db, id, { offset: 0, limit: LISTED_MAX })
  return rows.map(({ amount, paid, at, returned_at, statement_id, reason, place, comment }) => ({
    statement_id,
    reason,
    place,
    comment,
    amount: toWire('coin', amount),
    paid: toWire('coin', paid),
    at: wireTime(at),
    returned_at: returned_at && wireTime(returned_at),
  }))
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  penalty: {
    args: 'ID|EMAIL --amount COINS --reason RULE --place PLACE --comment TEXT [--as NAME]',
    summary:
      'Takes coins of a girl for breaking a rule; what is missing is taken of later earnings.',
    run: impose,
  },
  'penalties list': {
    args: 'ID|EMAIL',
    summary: `The newest ${LISTED_MAX} penalties of a girl.`,
    run: list,
  },
}
