import type { App } from '../../context.ts'
import { newUuid } from '../../lib/ids.ts'
import { fromDecimal } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import type { Command, GivenArguments } from '../../platform/module.ts'
import { userById } from '../identity/index.ts'
import { balances } from './balances.ts'
import { ledgerCheck, rebuildBalances } from './check.ts'
import { grant } from './grant.ts'

const reason_characters_max = 500

async function grantFromShell(app: App, { words: [id, amount, asset], options: { reason } }: GivenArguments) {
  if (asset !== 'diamond' && asset !== 'message' && asset !== 'coin')
    throw new TypeError('The asset is diamond, message or coin.')
  if (typeof reason !== 'string' || reason.length > reason_characters_max)
    throw new TypeError(`--reason takes up to ${reason_characters_max} characters.`)
  const user_id = Number(id)
  const units = fromDecimal(asset, amount ?? '')
  if (units <= 0n) throw new TypeError('The amount is more than 0.')
  return app.transact(async (tx) => {
    const user = Number.isInteger(user_id) ? await userById(tx, user_id) : undefined
    if (!user?.role) refuse('not_found')
    if ((user.role === 'girl') !== (asset === 'coin')) throw new TypeError(`A ${user.role} has no ${asset}s.`)
    await grant(tx, { user_id, asset, amount: units, reason, key: `shell:${newUuid()}`, by: 'shell' })
    const { balance, balance_messages } = await balances(tx, user_id)
    return { user_id, balance, balance_messages }
  })
}

export const commands: Readonly<Record<string, Command>> = {
  grant: {
    args: 'ID AMOUNT diamond|message|coin --reason TEXT',
    says: 'Gives somebody minutes, messages or coins from promotion.',
    run: grantFromShell,
  },
  'ledger check': {
    args: '',
    says: 'Compares every balance with its transfers and holds; { ok, checked, differences }.',
    run: (app) => ledgerCheck(app.db),
  },
  'ledger rebuild': {
    args: '',
    says: 'Writes every balance anew from the transfers and holds; { corrected }.',
    run: (app) => app.transact(async (tx) => ({ corrected: await rebuildBalances(tx) })),
  },
}
