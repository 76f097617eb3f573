import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { wireTime } from '../../lib/clock.ts'
import { toWire } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import { shellActor } from '../audit/index.ts'
import { findUserId, userById } from '../identity/index.ts'
import { heldSum, owedSum, readFlagged, readSharesForStaff, readTotals } from './queries.ts'
import { releaseShare } from './release-share.ts'
import { lockShare } from './store.ts'

const FLAGGED_MAX = 500
const SHOWN_MAX = 100

async function listFlagged(app: App) {
  const rows = await readFlagged(app.db, FLAGGED_MAX)
  return rows.map(({ amount, asset, ...row }) => ({
    ...row,
    asset,
    amount: toWire(asset as 'coin' | 'diamond', amount),
  }))
}

/** The sums of what a user's invitations brought, and the newest shares with their flags and the reasons of releases. */
async function show(app: App, { words: [given] }: CommandArguments) {
  const user = (await userById(app.db, await findUserId(app, given)))!
  const asset = user.role === 'girl' ? 'coin' : 'diamond'
  const sum = async (read: (db: App['db'], inviter_id: UserId) => Promise<bigint>) =>
    toWire(asset, await read(app.db, user.id))
  const totals = await readTotals(app.db, user.id)
  const shares = await readSharesForStaff(app.db, user.id, SHOWN_MAX)
  return {
    user_id: user.id,
    ref_code: user.ref_code,
    referred_by: user.referred_by,
    asset,
    totals: totals.map(({ inviter_id: _, earned, ...total }) => ({
      ...total,
      earned: toWire(asset, earned),
    })),
    held: await sum(heldSum),
    owed: await sum(owedSum),
    shares: shares.map(({ amount, taken_back, owed, created_at, due_at, ...share }) => ({
      ...share,
      amount: toWire(asset, amount),
      taken_back: toWire(asset, taken_back),
      owed: toWire(asset, owed),
      created_at: wireTime(created_at),
      due_at: wireTime(due_at),
    })),
  }
}

/** Two people, as the operator knows: the share is held and paid like every other. */
async function release(app: App, given: CommandArguments) {
  const {
    words: [id],
    options: { comment },
  } = given
  if (typeof comment !== 'string' || comment.trim() === '')
    throw new CommandRefused('Give the reason with --comment.')
  const release_comment = comment.trim()
  if ([...release_comment].length > limits.comment_characters)
    throw new CommandRefused(`--comment has at most ${limits.comment_characters} characters.`)
  const share_id = parseId(id ?? '') ?? refuse('not_found')
  await app.transact(async (tx) => {
    const share = await lockShare(tx, share_id)
    if (share?.state !== 'flagged') refuse('not_found')
    await releaseShare(tx, shellActor(given), share, release_comment)
  })
  app.log.info({ share_id }, 'a flagged referral share was released')
  return { share_id, state: 'held' }
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'referrals flagged': {
    args: '',
    summary: 'Lists shares that are not paid because inviter and invited look like one user.',
    run: listFlagged,
  },
  'referrals show': {
    args: 'ID|EMAIL',
    summary:
      'Shows what a user’s invitations brought: sums, and the newest shares with their flags.',
    run: show,
  },
  'referrals release': {
    args: 'SHARE_ID --comment TEXT [--as NAME]',
    summary: 'Holds a flagged share like every other, and pays it later.',
    run: release,
  },
}
