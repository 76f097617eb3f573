import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App, Tx } from '../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import { toDecimal, toMinor } from '../../lib/payments/minor-units.ts'
import { refuse } from '../../lib/refusal.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import { operatorName } from '../../platform/operator/operator-name.ts'
import { shellActor, writeAudit } from '../audit/index.ts'
import { checkBulk } from '../bulk/index.ts'
import { writeEvidence } from './desk/evidence.ts'
import { recordOrderAct } from './desk/record-act.ts'
import { creditOrder } from './credit-order.ts'
import { createGiftCards } from './gift-cards/create.ts'
import { decideNotice, STAFF_CREDITS } from './order-rules.ts'
import {
  disputedAccounts,
  findOrder,
  lockOrder,
  type OrderRow,
  quarantinedOrders,
  readPackages,
} from './queries.ts'
import { showOrder } from './desk/show-order.ts'
import { previewForm } from './methods/preview-form.ts'
import { returnOrder } from './return-order.ts'
import * as store from './store.ts'

const CURRENCY = /^[A-Z]{3}$/

function orderId({ words: [id = ''] }: CommandArguments): number {
  return parseId(id) ?? refuse('not_found')
}

function comment({ options: { comment: given } }: CommandArguments): string {
  if (typeof given !== 'string' || given.trim() === '')
    throw new CommandRefused('Give the reason with --comment.')
  return given
}

async function change(
  app: App,
  given: CommandArguments,
  act: 'order_credit' | 'order_refund' | 'order_chargeback',
  work: (tx: Tx, order: OrderRow) => Promise<void>,
) {
  const order_id = orderId(given)
  const reason = comment(given)
  await app.transact(async (tx) => {
    const order = (await lockOrder(tx, order_id)) ?? refuse('not_found')
    await checkBulk(tx, shellActor(given), 'money')
    await work(tx, order)
    const actor = shellActor(given)
    await recordOrderAct(tx, order, {
      actor,
      by: `operator ${operatorName(given)}`,
      place: 'shell',
      act,
      reason,
    })
  })
  return showOrder((await findOrder(app.db, order_id))!)
}

/** A payment that waits for staff, or that its provider did not report, is credited as it was ordered. */
function credit(app: App, given: CommandArguments) {
  return change(app, given, 'order_credit', async (tx, order) => {
    if (!STAFF_CREDITS.has(order.state))
      throw new CommandRefused(`The order is ${order.state}, not quarantined, failed or expired.`)
    await creditOrder(tx, order, { payment_id: undefined, instrument: undefined })
  })
}

/** Records that money was given back at the provider, and takes back what it bought. */
function refund(app: App, given: CommandArguments) {
  const { amount: asked } = given.options
  return change(app, given, 'order_refund', async (tx, order) => {
    const amount = typeof asked === 'string' ? toMinor(asked, order.currency) : undefined
    if (typeof asked === 'string' && !amount)
      throw new CommandRefused('--amount is a price like 14.99.')
    await takeReturn(tx, order, { kind: 'refunded', amount })
  })
}

/** Records that the bank of the buyer took the price back, at a provider that does not report it. */
function chargeBack(app: App, given: CommandArguments) {
  return change(app, given, 'order_chargeback', async (tx, order) => {
    if (order.paid_at === null && order.quarantined_why === null)
      throw new CommandRefused('Nothing was paid for this order.')
    await takeReturn(tx, order, { kind: 'charged_back', amount: undefined })
  })
}

async function takeReturn(
  tx: Tx,
  order: OrderRow,
  {
    kind,
    amount,
  }: { readonly kind: 'refunded' | 'charged_back'; readonly amount: bigint | undefined },
): Promise<void> {
  const facts = { payment_id: undefined, amount, currency: undefined, is_test: false }
  const decision = decideNotice(
    order,
    { kind, ...facts },
    { takes_tests: true, beyond_limits: false },
  )
  if (decision.type !== 'return')
    throw new CommandRefused(`The order is ${order.state}: nothing is left to give back.`)
  await returnOrder(tx, order, { ...decision, kind })
}

async function listQuarantined(app: App) {
  return (await quarantinedOrders(app.db)).map(showOrder)
}

async function listDisputed(app: App) {
  const accounts = await disputedAccounts(app.db)
  return accounts.map(({ usd, ...account }) => ({ ...account, usd: toDecimal(BigInt(usd), 'USD') }))
}

async function setPackage(app: App, given: CommandArguments) {
  const {
    words: [pack, count],
    options,
  } = given
  const value = Number(count)
  if ((pack !== 'minutes' && pack !== 'messages') || !Number.isInteger(value) || value < 1)
    throw new CommandRefused('A package is minutes or messages and a count: minutes 45.')
  const { price, currency = 'USD', sale = 'on' } = options
  if (typeof currency !== 'string' || !CURRENCY.test(currency))
    throw new CommandRefused('--currency is three capital letters.')
  const minor = typeof price === 'string' ? toMinor(price, currency) : undefined
  if (price !== undefined && !minor) throw new CommandRefused('--price is a price like 14.99.')
  await app.transact(async (tx) => {
    const former = await store.lockPackage(tx, { pack, value, currency })
    const package_id = await store.savePackage(tx, { pack, value, on_sale: sale === 'on' })
    if (minor) await store.savePrice(tx, { package_id, currency, price: minor })
    const formerPrice = former?.price ? toDecimal(former.price, currency) : null
    await writeAudit(tx, {
      staff: shellActor(given),
      act: 'package_set',
      facts: { package_id, currency },
      before: { price: formerPrice, sale: former?.on_sale ?? null },
      after: { price: minor ? String(price) : formerPrice, sale: sale === 'on' },
    })
  })
  return listPackages(app, { words: [], options: { currency }, cwd: '' })
}

async function listPackages(app: App, { options: { currency = 'USD' } }: CommandArguments) {
  const rows = await readPackages(app.db, String(currency))
  return rows.map(({ price, price_usd, ...row }) => ({
    ...row,
    price: toDecimal(price, row.currency),
    price_usd: toDecimal(price_usd, 'USD'),
  }))
}

async function lookAtOrder(app: App, given: CommandArguments) {
  const order = (await findOrder(app.db, orderId(given))) ?? refuse('not_found')
  const { user_id, order_id } = order
  const act = { staff: shellActor(given), act: 'order_view', user_id, facts: { order_id } } as const
  await app.transact((tx) => writeAudit(tx, act))
  return showOrder(order)
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'orders quarantined': {
    args: '',
    summary: 'Lists payments that came in, not as ordered: credit or refund each.',
    run: listQuarantined,
  },
  'orders show': {
    args: 'ORDER_ID [--as NAME]',
    summary: 'Shows an order. The look is recorded.',
    run: lookAtOrder,
  },
  'orders credit': {
    args: 'ORDER_ID --comment TEXT [--as NAME]',
    summary:
      'Credits a payment as it was ordered: a quarantined one, or one that its provider did not report.',
    run: credit,
  },
  'orders refund': {
    args: 'ORDER_ID [--amount PRICE] --comment TEXT [--as NAME]',
    summary:
      'Records that the price, or a part of it, was given back, and takes back what it bought.',
    run: refund,
  },
  'orders chargeback': {
    args: 'ORDER_ID --comment TEXT [--as NAME]',
    summary:
      'Records that the bank took the price back, where the provider does not report it, and takes back what it bought.',
    run: chargeBack,
  },
  'orders evidence': {
    args: 'ORDER_ID FILE [--as NAME]',
    summary:
      'Writes what proves an order in a dispute: callbacks, receipt, transfers, calls and logins since.',
    run: (app, given) => writeEvidence(app, orderId(given), given),
  },
  'payments disputed': {
    args: '',
    summary:
      'Lists accounts with chargebacks, their sum in USD, and accounts that paid with the same card or wallet.',
    run: listDisputed,
  },
  'payments preview': {
    args: 'METHOD [--form JSON]',
    summary:
      'Shows the text that a method described by a setting would sign, or the mistakes of its form.',
    run: previewForm,
  },
  'packages list': {
    args: '[--currency EUR]',
    summary: 'Lists the packages on sale.',
    run: listPackages,
  },
  'packages set': {
    args: 'minutes|messages COUNT [--price PRICE] [--currency EUR] [--sale on|off] [--as NAME]',
    summary: 'Adds a package, changes its price in a currency, or takes it from sale.',
    run: setPackage,
  },
  'giftcards create': {
    args: '--count N --minutes M [--price USD] [--until DATE] [--approval N] [--as NAME]',
    summary:
      'Creates prepaid codes and prints them once, after a second person has allowed it in the office.',
    run: createGiftCards,
  },
}
