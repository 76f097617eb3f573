import type { Tx } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type {
  Gateway,
  NoticeVerdict,
  ProviderRequest,
} from '../../integrations/payments/gateway.ts'
import { productDay } from '../../lib/clock.ts'
import { setting } from '../settings/index.ts'
import * as store from './store.ts'

const BODY_BYTES_MAX = 64 * 1024
const STRAY_BODY_BYTES_MAX = 4 * 1024
const QUERY_CHARACTERS_MAX = 8 * 1024
const STRAY_QUERY_CHARACTERS_MAX = 1024
const HEADERS_CHARACTERS_MAX = 8 * 1024
/** The columns of a row without body and query. */
const ROW_BYTES = 256

/** The verdict on a callback, with its reason. */
export interface CallbackOutcome {
  readonly verdict: NoticeVerdict
  /** The provider is answered with this verdict instead. */
  readonly answered?: NoticeVerdict
  readonly why: string | null
  readonly order_id: number | null
  /** Of a believed notice that was not confirmed. */
  readonly step?: string
  readonly refusal?: 'unknown_order' | 'wrong_amount' | 'over'
  /** The callback has changed its order. */
  readonly has_effect?: boolean
}

/** Of a longer request no provider sends, only this is read. */
export function cutRequest(request: ProviderRequest): ProviderRequest {
  return {
    ...request,
    query: request.query.slice(0, QUERY_CHARACTERS_MAX),
    body: request.body.subarray(0, BODY_BYTES_MAX),
  }
}

/**
 * Keeps a callback as it arrived, with its verdict. Anyone can send a callback that is not believed or that proves
 * nothing: of those only the beginning is kept, and no more than `stray_callback_kb_a_day`. A believed callback of no
 * order is about real money, and waits for staff.
 */
export async function keepCallback(
  tx: Tx,
  gateway: Gateway,
  request: ProviderRequest,
  { verdict, why, order_id, step, has_effect = false }: CallbackOutcome,
): Promise<void> {
  const provesNothing = gateway.proves_nothing === true
  const isStray = provesNothing ? !has_effect : order_id === null && verdict !== 'refused'
  const { method: request_method, address } = request
  const row = { method: gateway.method, request_method, address, verdict, why, step: step ?? null }
  if (!isStray) {
    const { query, body } = request
    const headers = JSON.stringify(request.headers)
    const kept = headers.length > HEADERS_CHARACTERS_MAX ? '{}' : headers
    return store.insertCallback(tx, { ...row, query, body, headers: kept, order_id })
  }
  const query = request.query.slice(0, STRAY_QUERY_CHARACTERS_MAX)
  const body = request.body.subarray(0, STRAY_BODY_BYTES_MAX)
  if (!takeBudget(tx, ROW_BYTES + query.length + body.length)) return undefined
  // Without its order the row is deleted after `stray_callback_days`.
  const believed = provesNothing && verdict === 'refused' ? 'unverified' : verdict
  const stray = { ...row, verdict: believed, query, body, headers: '{}', order_id: null }
  return store.insertCallback(tx, stray)
}

const keptToday = perApp(
  'billing: stray callbacks of the day',
  'the bytes of stray callbacks that were kept today; without them the budget of the day begins again',
  () => ({ day: '', bytes: 0 }),
)

function takeBudget({ app, now }: Tx, bytes: number): boolean {
  const kept = keptToday(app)
  const day = productDay(now).toString()
  if (kept.day !== day) Object.assign(kept, { day, bytes: 0 })
  if (kept.bytes + bytes > setting(app, 'stray_callback_kb_a_day') * 1024) {
    app.metrics.turned_away.inc({ reason: 'callback' })
    return false
  }
  kept.bytes += bytes
  return true
}
