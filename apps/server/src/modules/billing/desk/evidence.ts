import { open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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
import { requireFresh, requireNotOwn } from '../../staff/index.ts'
import { findOrder, type OrderRow } from '../queries.ts'
import { drawReceipt } from '../receipt/draw-receipt.ts'
import { describeReceipt } from '../receipt/receipt-file.ts'
import { type PackHead, writePack } from './evidence-pack.ts'
import { maskSecrets } from './mask-secrets.ts'
import { readOrderActs } from './order-act-store.ts'

/** `duet orders evidence`: one JSON file, for the bank that asks. Callbacks are as they arrived. */
export async function writeEvidence(app: App, order_id: number, given: CommandArguments) {
  const {
    words: [, file],
    cwd,
  } = given
  if (file === undefined) throw new CommandRefused('Name the file to write.')
  const order = await readOrder(app, order_id)
  await recordExport(app, shellActor(given), order)
  const path = resolve(cwd, file)
  const written = { callbacks: 0, tables: [] as string[] }
  const pack = writePack(app, await readHead(app, order), { mask: (text) => text, written })
  const target = await open(path, 'wx', 0o600)
  try {
    await pipeline(pack, target.createWriteStream())
  } catch (error) {
    // A part of the evidence looks like the whole.
    await rm(path)
    throw error
  }
  return { file: path, ...written }
}

/** GET v2/manager/payments/{id}/evidence: the same file. The secrets of callbacks are masked, as everywhere in the office. Refuses not_found, role_forbidden, second_factor. */
export async function evidenceFile(
  app: App,
  staff: Staff,
  { id: order_id }: Query<'GET v2/manager/payments/{id}/evidence'>,
): Promise<RawResponse> {
  requireFresh(app, staff)
  const order = await readOrder(app, order_id)
  await requireNotOwn(app.db, staff, [order.user_id])
  await recordExport(app, staff, order)
  const written = { callbacks: 0, tables: [] }
  const pack = writePack(app, await readHead(app, order), { mask: maskSecrets, written })
  return new RawResponse({
    body: Readable.from(pack),
    content_type: 'application/json',
    headers: {
      'Content-Disposition': `attachment; filename="evidence-${order_id}.json"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

async function readOrder(app: App, order_id: number): Promise<OrderRow> {
  return (await findOrder(app.db, order_id)) ?? refuse('not_found')
}

/** The export is recorded before anything else is read. */
async function recordExport(
  app: App,
  staff: Actor,
  { order_id, user_id }: OrderRow,
): Promise<void> {
  const act = { staff, act: 'order_evidence', user_id, facts: { order_id } } as const
  await app.transact((tx) => writeAudit(tx, act))
}

async function readHead(app: App, order: OrderRow): Promise<PackHead> {
  const acts = await readOrderActs(app.db, order.order_id)
  return {
    order,
    ...(await addReceipt(app, order)),
    // The names of staff and their reasons are not for the bank.
    acts: acts.map(({ at, decided_by: _, reason: __, ...act }) => ({ ...act, at: wireTime(at) })),
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
