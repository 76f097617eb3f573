/** Signed notices that their providers did not confirm: the cases of staff about them, and their ends. */
import type { App, Tx } from '../../core/app.ts'
import type {
  Gateway,
  ProviderNotice,
  ProviderRequest,
} from '../../integrations/payments/gateway.ts'
import { type CallbackOutcome, keepCallback } from './keep-callback.ts'
import { isReturn } from './order-rules.ts'
import { hasStep, lockOrder, type OrderRow, readUnconfirmed } from './queries.ts'
import * as store from './store.ts'

/** The provider did not know of the step when it was asked. */
export const NOT_CONFIRMED = 'not_confirmed'
/** The provider could not be asked, or refused to be. */
export const NOT_ASKABLE = 'not_askable'
export const UNCONFIRMED = [NOT_CONFIRMED, NOT_ASKABLE] as const

export type WhyUnconfirmed = (typeof UNCONFIRMED)[number]

/** The API of a provider may learn of a payment after its notice was sent. */
const EARLY_MS = 10 * 60_000

export interface UnconfirmedNotice {
  readonly request: ProviderRequest
  readonly order: OrderRow
  readonly notice: ProviderNotice
  readonly why: WhyUnconfirmed
  /** Waiting alone does not help. */
  readonly needs_staff: boolean
}

/** The step of a notice, as a callback is kept with it. */
export function toStep({ kind, step_id }: ProviderNotice): string {
  return `${kind}:${step_id}`
}

/**
 * Keeps a notice that was not confirmed. A signed one of an order that it would change is a forgery, or early, and staff see it
 * until its step counts. The order is locked, because a question of the buyer may credit it in this moment.
 */
export function keepUnconfirmed(
  app: App,
  gateway: Gateway,
  of: UnconfirmedNotice,
): Promise<CallbackOutcome> {
  const { order_id } = of.order
  return app.transact(async (tx) => {
    const order = await lockOrder(tx, order_id)
    const isOpen =
      order !== undefined && (await mayChange(tx, gateway, { order, notice: of.notice }))
    const outcome: CallbackOutcome =
      isOpen && !gateway.proves_nothing
        ? await judgeUnconfirmed(tx, gateway, of)
        : {
            verdict: of.why === NOT_CONFIRMED ? 'accepted' : 'unavailable',
            why: 'not confirmed by the provider',
            order_id,
          }
    await keepCallback(tx, gateway, of.request, outcome)
    return outcome
  })
}

/** Whether the step would still change its order: another notice or a question may have applied it meanwhile. */
async function mayChange(
  tx: Tx,
  { method }: Gateway,
  { order, notice: { kind, step_id } }: Pick<UnconfirmedNotice, 'order' | 'notice'>,
): Promise<boolean> {
  if (kind === 'paid') return order.paid_at === null
  if (!isReturn(kind) || order.state === kind || order.state === 'charged_back') return false
  return !(await hasStep(tx, method, step_id))
}

/**
 * A step is one case, whatever its provider repeats. A provider that does not answer once is asked again before staff see it.
 * For some time it is let send the notice again.
 */
async function judgeUnconfirmed(
  tx: Tx,
  gateway: Gateway,
  { order: { order_id }, notice, why, needs_staff }: UnconfirmedNotice,
): Promise<CallbackOutcome> {
  const step = toStep(notice)
  const { first_at, has_case } = await readUnconfirmed(tx, { order_id, step, why: UNCONFIRMED })
  const keepsMoney = !gateway.refunds_unaccepted
  const waits = keepsMoney && why === NOT_ASKABLE && !needs_staff && first_at === null
  const verdict = has_case || waits ? 'unavailable' : 'refused'
  const kept = { verdict, why, order_id, step } as const
  if (!keepsMoney) return { ...kept, answered: 'accepted' }
  const sinceMs = first_at ? tx.now.epochMilliseconds - first_at.epochMilliseconds : 0
  const isOver = why === NOT_CONFIRMED && sinceMs >= EARLY_MS
  return { ...kept, answered: isOver ? 'refused' : 'unavailable' }
}

/** A payment came in: the cases about payments of its order are over. */
export async function settlePaid(tx: Tx, { order_id, method: by }: OrderRow): Promise<void> {
  await store.settleCallbacks(
    tx,
    { order_id, refused_for: UNCONFIRMED, kind: 'paid' },
    { by, why: 'the payment was completed' },
  )
}

/** Money went back: the case about this step is over, and with the whole payment all cases about it. */
export async function settleReturned(
  tx: Tx,
  { order_id, method: by }: OrderRow,
  { notice, is_whole }: { readonly notice: ProviderNotice; readonly is_whole: boolean },
): Promise<void> {
  const of = { order_id, refused_for: UNCONFIRMED }
  await store.settleCallbacks(tx, is_whole ? of : { ...of, step: toStep(notice) }, {
    by,
    why: 'the payment was given back',
  })
}
