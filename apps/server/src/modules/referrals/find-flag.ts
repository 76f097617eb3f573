import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { sharesInstrument } from '../billing/index.ts'
import { sharesDevice } from '../client-signals/index.ts'

type ShareFlag = 'same_device' | 'same_instrument'

/** Inviter and invited are one user, as far as their devices and their cards show. */
export async function findFlag(
  tx: Tx,
  inviter_id: UserId,
  invited_id: UserId,
): Promise<ShareFlag | null> {
  if (await sharesDevice(tx, inviter_id, invited_id)) return 'same_device'
  if (await sharesInstrument(tx, inviter_id, invited_id)) return 'same_instrument'
  return null
}
