import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Query } from '@duet/protocol'
import { FALLBACK_LOCALE } from '@duet/protocol/kernel/locales.ts'
import type { App } from '../../../core/app.ts'
import type { CommandArguments } from '../../../core/module.ts'
import { RawResponse } from '../../../core/raw-response.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { CommandRefused } from '../../../platform/operator/commands.ts'
import { type Actor, shellActor, writeAudit } from '../../audit/index.ts'
import { userById } from '../../identity/index.ts'
import { requireFresh } from '../../staff/index.ts'
import { findOrder, type OrderRow, readCallbacks } from '../queries.ts'
import { drawReceipt } from '../receipt/draw-receipt.ts'
import { describeReceipt } from '../receipt/receipt-file.ts'
import { maskSecrets } from './mask-secrets.ts'
import { readOrderActs } from './order-act-store.ts'
import { showOrder } from './show-order.ts'

/** The tables of the buyer's own data that show the use of what was bought. */
const USE: ReadonlySet<string> = new Set([
  'transfers',
  'video_sessions',
  'logins',
  'given_gifts',
  'orders',
])

/** `duet orders evidence`: one JSON file, for the bank that asks. Callbacks are as they arrived. */
export async function writeEvidence(app: App, order_id: number, given: CommandArguments) {
  const {
    words: [, file],
    cwd,
  } = given
  if (file === undefined) throw new CommandRefused('Name the file to write.')
  const pack = await gatherEvidence(app, shellActor(given), order_id, (text) => text)
  const path = resolve(cwd, file)
  await writeFile(path, toFile(pack), { mode: 0o600, flag: 'wx' })
  return { file: path, callbacks: pack.callbacks.length, tables: Object.keys(pack.use) }
}

/** GET v2/manager/payments/{id}/evidence: the same file. The secrets of callbacks are masked, as everywhere in the office. Refuses not_found, second_factor. */
export async function evidenceFile(
  app: App,
  staff: Staff,
  { id: order_id }: Query<'GET v2/manager/payments/{id}/evidence'>,
): Promise<RawResponse> {
  requireFresh(app, staff)
  return new RawResponse({
    body: toFile(await gatherEvidence(app, staff, order_id, maskSecrets)),
    content_type: 'application/json',
    headers: {
      'Content-Disposition': `attachment; filename="evidence-${order_id}.json"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** The export is recorded before anything is read. Nothing of other users is in it beyond their ids. */
async function gatherEvidence(
  app: App,
  staff: Actor,
  order_id: number,
  mask: (text: string) => string,
) {
  const order = (await findOrder(app.db, order_id)) ?? refuse('not_found')
  const { user_id } = order
  const act = { staff, act: 'order_evidence', user_id, facts: { order_id } } as const
  await app.transact((tx) => writeAudit(tx, act))
  const use: Record<string, object[]> = {}
  for await (const part of app.exportUser(user_id, USE))
    if ('table' in part) (use[part.table] ??= []).push(...part.rows)
  // Decisions of staff were once kept as callbacks.
  const callbacks = (await readCallbacks(app.db, order_id)).filter(
    ({ request_method }) => request_method === 'GET' || request_method === 'POST',
  )
  return {
    order: showOrder(order),
    ...(await addReceipt(app, order)),
    callbacks: callbacks.map(({ settled_by: _by, settled_why: _why, ...callback }) => ({
      ...callback,
      received_at: wireTime(callback.received_at),
      query: mask(callback.query),
      headers: mask(JSON.stringify(callback.headers)),
      body: mask(callback.body.toString('utf8')),
    })),
    // The names of staff and their reasons are not for the bank.
    acts: (await readOrderActs(app.db, order_id)).map(
      ({ at, decided_by: _, reason: __, ...act }) => ({
        ...act,
        at: wireTime(at),
      }),
    ),
    use,
    written_at: wireTime(app.clock.now()),
  }
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

function toFile(pack: object): string {
  return JSON.stringify(pack, toText, 2)
}

function toText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
