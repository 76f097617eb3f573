import type { App } from '../../../core/app.ts'
import { wireTime } from '../../../lib/clock.ts'
import type { OrderRow } from '../queries.ts'
import { callbacksAfter } from './desk-queries.ts'
import { showOrder } from './show-order.ts'

/** The tables of the buyer's own data that show the use of what was bought. */
const USE: ReadonlySet<string> = new Set([
  'transfers',
  'video_sessions',
  'logins',
  'given_gifts',
  'orders',
])
/** A callback has up to 80 KB. */
const CALLBACKS_AT_ONCE = 20

export interface PackHead {
  readonly order: OrderRow
  readonly receipt: object | null
  readonly acts: readonly object[]
}

interface PackOptions {
  /** Each part of a callback is written as this function returns it. */
  readonly mask: (text: string) => string
  /** Counts what was written. */
  readonly written: { callbacks: number; readonly tables: string[] }
}

/**
 * The evidence of an order as one JSON object, a page of rows at a time: however many rows a buyer has, one page is in memory.
 * Nothing of other users is in it beyond their ids.
 */
export async function* writePack(
  app: App,
  { order, receipt, acts }: PackHead,
  { mask, written }: PackOptions,
): AsyncGenerator<string> {
  yield `{\n"order": ${toText(showOrder(order))},\n"receipt": ${toText(receipt)},\n"acts": ${toText(acts)},\n"callbacks": [`
  for await (const rows of callbackPages(app, order.order_id, mask)) {
    yield toRows(rows, written.callbacks === 0)
    written.callbacks += rows.length
  }
  yield '\n],\n"use": {'
  let isFirst = true
  for await (const part of app.exportUser(order.user_id, USE)) {
    if (!('table' in part)) continue
    const { table, rows } = part
    // The pages of a table come one after the other.
    if (written.tables.at(-1) !== table) {
      yield `${written.tables.length === 0 ? '' : '\n],'}\n${toText(table)}: [`
      written.tables.push(table)
      isFirst = true
    }
    if (rows.length === 0) continue
    yield toRows(rows, isFirst)
    isFirst = false
  }
  yield `${written.tables.length === 0 ? '' : '\n]'}\n},\n"written_at": ${toText(wireTime(app.clock.now()))}\n}\n`
}

async function* callbackPages(app: App, order_id: number, mask: (text: string) => string) {
  for (let after = 0; ;) {
    const rows = await callbacksAfter(app.db, order_id, { after, limit: CALLBACKS_AT_ONCE })
    if (rows.length > 0)
      yield rows.map(({ settled_by: _by, settled_why: _why, ...callback }) => ({
        ...callback,
        received_at: wireTime(callback.received_at),
        query: mask(callback.query),
        headers: mask(JSON.stringify(callback.headers)),
        body: mask(callback.body.toString('utf8')),
      }))
    if (rows.length < CALLBACKS_AT_ONCE) return
    after = rows.at(-1)!.callback_id
  }
}

/** Rows of an array, each in a line of its own. */
function toRows(rows: readonly object[], isFirst: boolean): string {
  const lines = rows.map(toText).join(',\n')
  return `${isFirst ? '' : ','}\n${lines}`
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    typeof one === 'bigint' ? one.toString() : one,
  )
}
