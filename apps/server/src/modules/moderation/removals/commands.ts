import type { RuleName } from '@duet/protocol/contracts/moderation.ts'
import type { App } from '../../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../../core/module.ts'
import { refuse } from '../../../lib/refusal.ts'
import { operatorName } from '../../../platform/operator/operator-name.ts'
import { shellActor, writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { findUserId, lockUser } from '../../identity/index.ts'
import { neededReason } from '../act-on-user.ts'
import { neededComment } from '../sanctions/commands.ts'
import { takeBack } from '../sanctions/take-back.ts'
import { forbidGifts, permitGifts } from './forbid-gifts.ts'
import { standingOfKind } from './removal-store.ts'

async function forbid(app: App, given: CommandArguments) {
  const user_id = await findUserId(app, given.words[0])
  const { reason } = given.options
  const act = {
    user_id,
    reason: neededReason('warning', typeof reason === 'string' ? reason : undefined) as RuleName,
    comment: neededComment(given),
  }
  return app.transact(async (tx) => ({
    user_id,
    statement_id: await forbidGifts(tx, act, shellActor(given), operatorName(given)),
    can_accept_gifts: false,
  }))
}

async function permit(app: App, given: CommandArguments) {
  const user_id = await findUserId(app, given.words[0])
  return app.transact(async (tx) => {
    if (!(await lockUser(tx, user_id))?.gifts_forbidden) refuse('not_found')
    await checkBulk(tx, shellActor(given), 'lift')
    for (const statement of await standingOfKind(tx, user_id, 'gifts'))
      await takeBack(tx, statement, { by: operatorName(given), comment: '' })
    // She may have been barred before there were statements about it.
    await permitGifts(tx, user_id)
    await writeAudit(tx, { staff: shellActor(given), act: 'gifts_permit', user_id })
    return { user_id, can_accept_gifts: true }
  })
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'gifts forbid': {
    args: 'ID|EMAIL --reason RULE --comment TEXT [--as NAME]',
    summary: 'Forbids a girl to accept gifts. She reads the comment, and may appeal.',
    run: forbid,
  },
  'gifts permit': {
    args: 'ID|EMAIL [--as NAME]',
    summary: 'Permits a girl to accept gifts again.',
    run: permit,
  },
}
