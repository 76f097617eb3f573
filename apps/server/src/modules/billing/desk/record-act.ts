import type { Tx } from '../../../core/app.ts'
import { type Actor, writeAudit } from '../../audit/index.ts'
import type { OrderRow } from '../queries.ts'
import * as store from '../store.ts'
import { insertOrderAct } from './order-act-store.ts'

interface OrderAct {
  readonly actor: Actor
  /** The name of the person. */
  readonly by: string
  /** The person sits at the operator's shell, or in the back office. */
  readonly place: 'shell' | 'office'
  readonly act: 'order_credit' | 'order_refund' | 'order_chargeback'
  readonly reason: string
}

/** Records a decision about an order, in its transaction: beside the order, whose callbacks it settles, and in the audit log. */
export async function recordOrderAct(tx: Tx, order: OrderRow, of: OrderAct): Promise<void> {
  const { order_id, user_id } = order
  const { actor, by, place, act, reason } = of
  await insertOrderAct(tx, { order_id, act, place, decided_by: by, reason })
  await store.settleCallbacks(tx, { order_id }, { by, why: reason })
  await writeAudit(tx, { staff: actor, act, user_id, reason, facts: { order_id } })
}
