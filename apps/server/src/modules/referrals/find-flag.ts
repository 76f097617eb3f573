import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { sharesInstrument } from '../billing/index.ts'
import { sharesDevice } from '../client-signals/index.ts'
import { closesRing } from './find-ring.ts'

type ShareFlag = 'same_device' | 'same_instrument' | 'same_wallet' | 'ring'

/**
 * Inviter and invited are one user, or each invited the other over further accounts, as far as devices, cards and payout
 * addresses show. Then staff have one finding.
 */
export async function findFlag(
  tx: Tx,
  inviter_id: UserId,
  invited_id: UserId,
): Promise<ShareFlag | null> {
  const flag = (await isReleased(tx, inviter_id, invited_id))
    ? null
    : await compare(tx, inviter_id, invited_id)
  if (flag)
    await tx.publish('finding_made', {
      user_id: inviter_id,
      kind: 'referral',
      other_id: invited_id,
      key: `referral:${inviter_id}:${invited_id}`,
    })
  return flag
}

/** Staff released a share of these two, and know the two as two people. */
async function isReleased(tx: Tx, inviter_id: UserId, invited_id: UserId): Promise<boolean> {
  const row = await tx
    .selectFrom('referral_shares')
    .select('share_id')
    .where('inviter_id', '=', inviter_id)
    .where('invited_id', '=', invited_id)
    .where('released_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function compare(tx: Tx, inviter_id: UserId, invited_id: UserId): Promise<ShareFlag | null> {
  if (await sharesDevice(tx, inviter_id, invited_id)) return 'same_device'
  if (await sharesInstrument(tx, inviter_id, invited_id)) return 'same_instrument'
  if (await sharesWallet(tx, inviter_id, invited_id)) return 'same_wallet'
  if (await closesRing(tx, inviter_id, invited_id)) return 'ring'
  return null
}

/** Whether both are paid out to the same address. */
async function sharesWallet(tx: Tx, one: UserId, other: UserId): Promise<boolean> {
  const row = await tx
    .selectFrom('users as own')
    .innerJoin('users as same', 'same.usdt_wallet', 'own.usdt_wallet')
    .select('own.id')
    .where('own.id', '=', one)
    .where('same.id', '=', other)
    .executeTakeFirst()
  return row !== undefined
}
