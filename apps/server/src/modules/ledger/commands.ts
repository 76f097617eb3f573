import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App } from '../../core/app.ts'
import { newUuid } from '../../lib/ids.ts'
import { type Asset, fromDecimal } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import type { OperatorCommand, CommandArguments } from '../../core/module.ts'
import { shellActor, writeAudit } from '../audit/index.ts'
import { needSecondPerson } from '../approvals/index.ts'
import { checkBulk } from '../bulk/index.ts'
import { userById } from '../identity/index.ts'
import { shownBalances } from './balances.ts'
import { rebuildBalances, verifyLedger, verifyWholeLedger } from './check.ts'
import { grant } from './grant.ts'

const REASON_CHARACTERS_MAX = 500
const KEY = /^[\w.-]{1,64}$/
const AMOUNT = /^\d{1,12}(\.\d{1,8})?$/
/** Far above any intended grant, far below what an account can hold. */
const GRANTED_UNITS_MAX = 10n ** 17n

async function grantFromShell(app: App, given: CommandArguments) {
  const {
    words: [id, amount, asset],
    options: { reason, key },
  } = given
  if (asset !== 'diamond' && asset !== 'message' && asset !== 'coin')
    throw new CommandRefused('The asset is diamond, message or coin.')
  if (typeof reason !== 'string' || reason === '' || reason.length > REASON_CHARACTERS_MAX)
    throw new CommandRefused(
      `Give a reason with --reason, of at most ${REASON_CHARACTERS_MAX} characters.`,
    )
  if (key !== undefined && (typeof key !== 'string' || !KEY.test(key)))
    throw new CommandRefused('The key of --key has 1 to 64 letters, digits, dots or dashes.')
  const userId = parseId(id ?? '') ?? refuse('not_found')
  const units = unitsIn(asset, amount ?? '')
  return app.transact(async (tx) => {
    const user = await userById(tx, userId)
    if (!user?.role) refuse('not_found')
    if ((user.role === 'girl') !== (asset === 'coin'))
      throw new CommandRefused(`${asset}s are not for the role ${user.role}.`)
    const facts = { amount: amount!, asset, key: key ?? null }
    const asked = { act: 'grant', user_id: userId, facts, reason } as const
    const waiting = await needSecondPerson(tx, given, asked)
    if (waiting) return waiting
    const outcome = await grant(tx, {
      user_id: userId,
      asset,
      amount: units,
      reason,
      key: `shell:${key ?? newUuid()}`,
      by: 'shell',
    })
    if (outcome === 'applied') {
      await checkBulk(tx, shellActor(given), 'money')
      await writeAudit(tx, {
        staff: shellActor(given),
        act: 'grant',
        user_id: userId,
        reason,
        facts: { asset, amount: amount! },
      })
    }
    const { balance, balance_messages } = await shownBalances(app, tx, userId)
    return { user_id: userId, balance, balance_messages }
  })
}

function unitsIn(asset: Asset, decimal: string): bigint {
  const units = AMOUNT.test(decimal) ? fromDecimal(asset, decimal) : 0n
  if (units <= 0n || units > GRANTED_UNITS_MAX)
    throw new CommandRefused('The amount is a plain decimal above 0, like 15 or 2.5.')
  return units
}

/** The entry is written first: a rebuild that is broken off has changed balances too. */
async function rebuild(app: App, given: CommandArguments): Promise<{ corrected: number }> {
  await app.transact((tx) => writeAudit(tx, { staff: shellActor(given), act: 'ledger_rebuild' }))
  return { corrected: await rebuildBalances(app) }
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  grant: {
    args: 'ID AMOUNT diamond|message|coin --reason TEXT [--key KEY] [--approval N] [--as NAME]',
    summary:
      'Grants a user minutes, messages or coins from promotion, after a second person has allowed it in the office. A repetition with the same key grants nothing.',
    run: grantFromShell,
  },
  'ledger check': {
    args: '[--full]',
    summary:
      'Compares every balance with its transfers and holds; --full also reads what earlier checks verified; { ok, checked, verified, differences }.',
    run: (app, { options: { full } }) => (full ? verifyWholeLedger(app) : verifyLedger(app)),
  },
  'ledger rebuild': {
    args: '[--as NAME]',
    summary: 'Recomputes every balance from the transfers and holds; { corrected }.',
    run: rebuild,
  },
}
