import type { App } from '../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import { toWire } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import { lockShare, changeShare } from './store.ts'

const FLAGGED_MAX = 500

async function listFlagged(app: App) {
  const rows = await app.db
    .selectFrom('referral_shares')
    .select(['share_id', 'inviter_id', 'invited_id', 'flag', 'asset', 'amount'])
    .where('state', '=', 'flagged')
    .orderBy('share_id')
    .limit(FLAGGED_MAX)
    .execute()
  return rows.map(({ amount, asset, ...row }) => ({
    ...row,
    asset,
    amount: toWire(asset as 'coin' | 'diamond', amount),
  }))
}

/** Two people, as the operator knows: the share is held and paid like every other. */
async function release(app: App, { words: [id], options: { comment } }: CommandArguments) {
  if (typeof comment !== 'string' || comment.trim() === '')
    throw new CommandRefused('Give the reason with --comment.')
  const share_id = Number(id)
  await app.transact(async (tx) => {
    const share = Number.isSafeInteger(share_id) ? await lockShare(tx, share_id) : undefined
    if (share?.state !== 'flagged') refuse('not_found')
    await changeShare(tx, share_id, { state: 'held', flag: null })
  })
  app.log.info({ share_id, comment }, 'a flagged referral share was released')
  return { share_id, state: 'held' }
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'referrals flagged': {
    args: '',
    summary: 'Lists shares that are not paid because inviter and invited look like one user.',
    run: listFlagged,
  },
  'referrals release': {
    args: 'SHARE_ID --comment TEXT',
    summary: 'Holds a flagged share like every other, and pays it later.',
    run: release,
  },
}
