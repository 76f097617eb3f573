import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App } from '../../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../../core/module.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { operatorName } from '../../../platform/operator/operator-name.ts'
import { shellActor, writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { neededComment, refuseOption } from '../sanctions/commands.ts'
import { readAppealQueue } from './appeal-store.ts'
import { decideAppeal } from './appeals.ts'

const LISTED_MAX = 100

async function list(app: App) {
  const rows = await readAppealQueue(app.db, 'waiting', { offset: 0, limit: LISTED_MAX })
  return rows.map(({ appeal_id, statement_id, user_id, text, created_at }) => ({
    appeal_id,
    statement_id,
    user_id,
    text,
    at: wireTime(created_at),
  }))
}

async function decide(app: App, given: CommandArguments) {
  const [word = ''] = given.words
  const id = parseId(word) ?? refuse('not_found')
  const { decision } = given.options
  if (decision !== 'upheld' && decision !== 'rejected')
    refuseOption('decision', '--decision is one of upheld, rejected')
  const answer = neededComment(given)
  const by = operatorName(given)
  return app.transact(async (tx) => {
    const upheld = decision === 'upheld'
    if (upheld) await checkBulk(tx, shellActor(given), 'lift')
    const { statement_id, user_id } = await decideAppeal(tx, id, { upheld, answer, by })
    await writeAudit(tx, {
      staff: shellActor(given),
      act: 'appeal_decide',
      user_id,
      reason: answer,
      facts: { appeal_id: id, statement_id, upheld },
    })
    return { appeal_id: id, statement_id, decision }
  })
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'appeals list': {
    args: '',
    summary: `Appeals that wait, the oldest ${LISTED_MAX}.`,
    run: list,
  },
  'appeals decide': {
    args: 'APPEAL --decision upheld|rejected --comment TEXT [--as NAME]',
    summary:
      'Decides an appeal, as another person than the one who imposed the act; an upheld appeal takes the act back.',
    run: decide,
  },
}
