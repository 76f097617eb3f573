import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { FALLBACK_LOCALE } from '@duet/protocol/kernel/locales.ts'
import type { App } from '../../../core/app.ts'
import type { CommandArguments } from '../../../core/module.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { CommandRefused } from '../../../platform/operator/commands.ts'
import { shellActor, writeAudit } from '../../audit/index.ts'
import { userById } from '../../identity/index.ts'
import { findOrder, type OrderRow, readCallbacks } from '../queries.ts'
import { drawReceipt } from '../receipt/draw-receipt.ts'
import { describeReceipt } from '../receipt/receipt-file.ts'
import { showOrder } from '../show-order.ts'
import { readOrderActs } from './order-act-store.ts'

/** The tables of the buyer's own data that show the use of what was bought. */
const USE: ReadonlySet<string> = new Set([
  'transfers',
  'video_sessions',
  'logins',
  'given_gifts',
  'orders',
])

/** `duet orders evidence`: one JSON file, for the bank that asks. Nothing of other users is in it beyond their ids. */
export async function writeEvidence(app: App, order_id: number, given: CommandArguments) {
  const {
    words: [, file],
    cwd,
  } = given
  if (file === undefined) throw new CommandRefused('Name the file to write.')
  const order = (await findOrder(app.db, order_id)) ?? refuse('not_found')
  const { user_id } = order
  await app.transact((tx) =>
    writeAudit(tx, {
      staff: shellActor(given),
      act: 'order_evidence',
      user_id,
      facts: { order_id },
    }),
  )
  const use: Record<string, object[]> = {}
  for await (const part of app.exportUser(user_id))
    if ('table' in part && USE.has(part.table)) (use[part.table] ??= []).push(...part.rows)
  const callbacks = (await readCallbacks(app.db, order_id)).map(({ received_at, body, ...of }) => ({
    ...of,
    received_at: wireTime(received_at),
    body: body.toString('utf8'),
  }))
  const pack = {
    order: showOrder(order),
    ...(await addReceipt(app, order)),
    callbacks,
    acts: (await readOrderActs(app.db, order_id)).map(({ at, ...act }) => ({
      ...act,
      at: wireTime(at),
    })),
    use,
    written_at: wireTime(app.clock.now()),
  }
  const path = resolve(cwd, file)
  await writeFile(path, JSON.stringify(pack, toText, 2), { mode: 0o600, flag: 'wx' })
  return { file: path, callbacks: callbacks.length, tables: Object.keys(use) }
}

/** The receipt that the buyer has, in English for the bank. An order that was never paid has none. */
async function addReceipt(app: App, order: OrderRow) {
  if (order.paid_at === null) return { receipt: null }
  const buyer = await userById(app.db, order.user_id)
  const receipt = describeReceipt(
    app,
    { id: order.user_id, nick: buyer?.nick ?? '', locale: FALLBACK_LOCALE },
    order,
  )
  const pdf = await drawReceipt(receipt)
  return { receipt: { lines: receipt.lines, pdf_base64: pdf.toString('base64') } }
}

function toText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
