import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { refuse } from '../../lib/refusal.ts'
import { wireTime } from '../../lib/clock.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { OperatorCommand, CommandArguments } from '../../core/module.ts'
import { shellActor, writeAudit } from '../audit/index.ts'
import { staffColumns } from './users/columns.ts'
import { userByEmail, userById } from './users/queries.ts'
import { givePremium } from './premium.ts'

const PREMIUM_DAYS_MAX = 3650

/** The text of an option that a command needs. Refuses invalid. */
export function neededText(given: CommandArguments, option: string): string {
  const value = given.options[option]
  return typeof value === 'string' && value !== ''
    ? value
    : refuse('invalid', { fields: [{ path: option, message: `--${option} is needed` }] })
}

/** The id of a user that the operator named by id or e-mail. Refuses not_found. */
export async function findUserId(app: App, word: string | undefined): Promise<UserId> {
  const id = parseId(word ?? '')
  const row = id ? await userById(app.db, id) : await userByEmail(app.db, word ?? '')
  return row?.id ?? refuse('not_found')
}

async function userShow(app: App, given: CommandArguments) {
  return staffColumns((await userById(app.db, await findUserId(app, given.words[0])))!)
}

async function premium(app: App, given: CommandArguments) {
  const id = await findUserId(app, given.words[0])
  const days = Number(neededText(given, 'days'))
  if (!Number.isInteger(days) || days < 1 || days > PREMIUM_DAYS_MAX)
    refuse('invalid', {
      fields: [{ path: 'days', message: `--days is a whole number from 1 to ${PREMIUM_DAYS_MAX}` }],
    })
  return app.transact(async (tx) => {
    const premium_until = wireTime(await givePremium(tx, id, days))
    const facts = { days, premium_until }
    await writeAudit(tx, { staff: shellActor(given), act: 'premium_give', user_id: id, facts })
    return { id, premium_until }
  })
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'user show': { args: 'ID|EMAIL', summary: 'Shows a user’s record.', run: userShow },
  premium: { args: 'ID --days N [--as NAME]', summary: 'Extends a user’s Premium.', run: premium },
}
