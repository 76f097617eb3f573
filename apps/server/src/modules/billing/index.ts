/**
 * Billing: packages, orders and what providers of payments report about them.
 *
 * Tables         packages, package_prices, orders, payment_callbacks, payment_steps, order_acts, gift_cards, spending_limits
 * Does not know  how a provider signs (integrations/payments), what minutes and messages are used for
 * Invariants     an order is credited once, in one transaction with Premium and its facts (BI1) · only a verified notice of
 *                the provider with the ordered amount and currency credits (BI2) · every callback is kept with its verdict (BI3) ·
 *                what is given back is taken back, and the rest is a debt (BI4) · a gift card is redeemed once (BI5)
 */
import type { App } from '../../core/app.ts'
import { type EndpointsOf, module } from '../../core/module.ts'
import { setting } from '../settings/index.ts'
import { commands } from './commands.ts'
import { listCallbacks, readCallback, settleCallback } from './desk/callbacks.ts'
import { evidenceFile } from './desk/evidence.ts'
import { countWaiting } from './desk/desk-queries.ts'
import { listMethods, previewMethod } from './desk/methods.ts'
import {
  askAboutPayment,
  caseUsers,
  decidePayment,
  listPayments,
  showPayment,
} from './desk/payments.ts'
import { redeemGiftCard } from './gift-cards/redeem.ts'
import { changeLimits, getLimits } from './limits.ts'
import { expireOrders, getOrder, ordersPage } from './orders.ts'
import { personalData } from './personal-data.ts'
import { getPackages, offeredMethods } from './price-list.ts'
import { whyOff } from './methods/why-off.ts'
import { receiptFile } from './receipt/receipt-file.ts'
import { receiveNotice } from './receive-notice.ts'
import { returnPage } from './pages/return-page.ts'
import { startBy, startChosen } from './start-payment.ts'
import { deleteStrayCallbacks } from './store.ts'
import { widgetPage } from './pages/widget-page.ts'

const CLOUDPAYMENTS = 'cloudpayments'

export const billing = module('billing', {
  endpoints: {
    'GET packages': getPackages,
    'POST payment/start': startChosen,
    'POST payment/spay': startBy((app) => setting(app, 'spay_method')),
    'POST payment/pays': startBy((app) => setting(app, 'pays_method')),
    'POST payment/cloudpayments': startBy(() => CLOUDPAYMENTS),
    'POST payment/notify/{method}': receiveNotice('POST'),
    'GET payment/notify/{method}': receiveNotice('GET'),
    'GET /payment/return': returnPage,
    'GET /payment/widget': widgetPage,
    'GET orders': ordersPage,
    'GET orders/{id}': getOrder,
    'GET orders/{id}/receipt': receiptFile,
    'POST gift-card/redeem': redeemGiftCard,
    'GET account/limits': getLimits,
    'POST account/limits': changeLimits,
    'GET v2/manager/payments': listPayments,
    'GET v2/manager/payments/{id}': showPayment,
    'GET v2/manager/payments/{id}/evidence': evidenceFile,
    'POST v2/manager/payments/{id}/ask': askAboutPayment,
    'POST v2/manager/payments/{id}/decide': decidePayment,
    'GET v2/manager/callbacks': listCallbacks,
    'GET v2/manager/callbacks/{id}': readCallback,
    'POST v2/manager/callbacks/{id}/decide': settleCallback,
    'GET v2/manager/payment-methods': listMethods,
    'POST v2/manager/payment-methods/preview': previewMethod,
  } satisfies EndpointsOf<'billing'>,
  commands,
  waitingCases: countWaiting,
  caseUsers,
  systemFields: async (app) => {
    const methods = await offeredMethods(app, app.db)
    const widget = widgetKey(app, methods)
    return { features: { payments: { on: methods.length > 0, methods, ...widget } } }
  },
  diagnosis: async (app) => {
    const methods = await offeredMethods(app, app.db)
    const { missing, unconfirmed } = app.config.payments
    return { methods, missing, unconfirmed, off: whyOff(app, methods) }
  },
  jobs: {
    'orders expire': {
      summary: 'Closes orders that were not paid in time, after a last question to the provider.',
      cron: '*/5 * * * *',
      run: expireOrders,
    },
  },
  retention: [
    {
      name: 'payment_callbacks: without an order',
      keepDays: (context) => setting(context, 'stray_callback_days'),
      purge: (tx, before, limit) => deleteStrayCallbacks(tx, before, limit),
    },
  ],
  personalData: { tables: personalData },
  start: async (app) =>
    app.realtime.local.onConnectionChange(({ user_id, socket, state }) => {
      if (socket !== 'main' || state !== 'up') return
      app.background('naming the methods of payment', nameMethods(app, user_id), { user_id })
    }),
})

function widgetKey({ gateways }: App, methods: readonly string[]) {
  const key = gateways.get(CLOUDPAYMENTS)?.public_key
  return methods.includes(CLOUDPAYMENTS) && key ? { cloudpayments: { key } } : {}
}

/** A page learns of methods beyond those that it knows by itself. */
async function nameMethods(app: App, user_id: number): Promise<void> {
  // Most installations have no such method: a connection then costs no statement.
  if (!app.gateways.has(CLOUDPAYMENTS)) return
  const methods = await offeredMethods(app, app.db)
  const widget = widgetKey(app, methods)
  if ('cloudpayments' in widget)
    app.emit(user_id, 'payments_methods_extend', { methods, ...widget })
}

export { accountsOfInstruments, findOrders, sharesInstrument } from './queries.ts'
