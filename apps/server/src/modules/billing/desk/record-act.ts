import type { Tx } from '../../../core/app.ts'
import { type Actor, writeAudit } from '../../audit/index.ts'
import type { OrderRow } from '../queries.ts'
import * as store from '../store.ts'

interface OrderAct {
  readonly actor: Actor
  /** The name of the person. */
  readonly by: string
  /** The person sits at the operator's shell, or in the back office. */
  readonly place: 'shell' | 'office'
  readonly act: 'order_credit' | 'order_refund' | 'order_chargeback'
  readonly reason: string
}

/** Records a decision about an order, in its transaction: beside the callbacks, which it settles, and in the audit log. */
export async function recordOrderAct(tx: Tx, order: OrderRow, of: OrderAct): Promise<void> {
  const { order_id, user_id, method } = order
  const { actor, by, place, act, reason } = of
  await store.insertCallback(tx, {
    method,
    request_method: place.toUpperCase(),
    query: '',
    headers: '{}',
    body: Buffer.from(reason),
    address: place,
    verdict: 'accepted',
    why: place === 'shell' ? 'decided by the operator' : 'decided by staff',
    order_id,
  })
  await store.settleCallbacks(tx, { order_id }, { by, why: reason })
  await writeAudit(tx, { staff: actor, act, user_id, reason, facts: { order_id } })
}
