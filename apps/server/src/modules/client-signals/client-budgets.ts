import { createHmac } from 'node:crypto'
import { keyFor } from '../../lib/derived-key.ts'
import { msBetween, productDay, startOfProductDay } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App, AppContext, Tx } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { refuseWithChallenge, spendCaptcha } from '../../platform/dispatch/captcha/captcha-gate.ts'
import { isLoopback, toNetwork, findSite } from '../../platform/http/client-address.ts'
import { setting } from '../settings/index.ts'
import { budgetsSpent, type DailyBudget, returnBudgets, takeBudgets } from './budgets-store.ts'

/** The network and the device from which a request comes. */
export interface RequestClient {
  readonly address: string
  readonly fingerprint: string | null
}

/** A /48 of IPv6 has many networks of one customer: it may do this many times as much as one network. */
const SITE_FACTOR = 10
/** A client that passes a captcha each time may do this many times as much: each costs it time, and there is an end. */
const CAPTCHA_FACTOR = 10

/**
 * A device: its fingerprint in its network. A fingerprint alone is the client's own claim, and owners of
 * the same phone model would share a budget. All clients of a network without a fingerprint are one device.
 */
export function getDevice(app: AppContext, { address, fingerprint }: RequestClient): string {
  return createHmac('sha256', keyFor(app.config, 'devices'))
    .update(`${toNetwork(address)}\n${fingerprint ?? ''}`)
    .digest('base64url')
}

function networkBudgets(
  app: App,
  kind: DailyBudget['kind'],
  address: string,
  usesMax: number,
): DailyBudget[] {
  if (isExempt(app, address)) return []
  const site = findSite(address)
  return [
    { kind, client: `network ${toNetwork(address)}`, uses_max: usesMax },
    ...(site === undefined
      ? []
      : [{ kind, client: `site ${site}`, uses_max: usesMax * SITE_FACTOR }]),
  ]
}

/** The network's budget is larger: a single device cannot block a shared address for all users behind it. */
function clientBudgets(
  app: App,
  kind: DailyBudget['kind'],
  client: RequestClient,
  uses: { device: number; network: number },
): DailyBudget[] {
  const budgets = networkBudgets(app, kind, client.address, uses.network)
  if (budgets.length === 0) return []
  const device = `device ${getDevice(app, client)}`
  return [...budgets, { kind, client: device, uses_max: uses.device }]
}

/** Whether the caller has passed a captcha for this action. Then its budgets are larger. */
export type CaptchaPassed = boolean

function emailTries(app: App, client: RequestClient, isPassed: CaptchaPassed): DailyBudget[] {
  return clientBudgets(app, 'email_try', client, {
    device: enlarged(setting(app, 'email_tries_a_day'), isPassed),
    network: enlarged(setting(app, 'network_email_tries_a_day'), isPassed),
  })
}

function registrations(app: App, client: RequestClient, isPassed: CaptchaPassed): DailyBudget[] {
  return clientBudgets(app, 'registration', client, {
    device: enlarged(setting(app, 'device_registrations_a_day'), isPassed),
    network: enlarged(setting(app, 'network_registrations_a_day'), isPassed),
  })
}

/** A budget of 0 closes something, also for those who passed a captcha. */
function enlarged(uses: number, isPassed: CaptchaPassed): number {
  return isPassed ? uses * CAPTCHA_FACTOR : uses
}

/**
 * Requires a captcha if a budget of this client is spent: the budget of e-mail tries, or of registrations
 * if the client registers. Comes before the e-mail is looked up. Returns whether a captcha was passed.
 * Refuses captcha_required.
 */
export async function passSpentBudgets(
  app: App,
  client: RequestClient,
  { purpose, viewer, context }: BudgetedRequest,
): Promise<CaptchaPassed> {
  const budgets = [
    ...emailTries(app, client, false),
    ...(purpose === 'register' ? registrations(app, client, false) : []),
  ]
  if (!(await budgetsSpent(app.db, productDay(app.clock.now()), budgets))) return false
  await spendCaptcha(app, { purpose, viewer, context })
  return true
}

export interface BudgetedRequest {
  readonly purpose: 'register' | 'email'
  readonly viewer: Viewer
  readonly context: RequestContext
}

/** A request after its captcha, if a captcha was due. */
export interface EmailTry extends BudgetedRequest {
  readonly isPassed: CaptchaPassed
}

/**
 * Counts one try of an e-mail in a transaction of its own, because a later refusal rolls the caller's
 * transaction back. The try is counted before the address is looked up, so that the refusal is the same for
 * every address. Call `passSpentBudgets` first. Refuses captcha_required, and too_many if the budget of a
 * passed captcha is spent too.
 */
export async function consumeEmailTry(
  app: App,
  client: RequestClient,
  { isPassed, ...request }: EmailTry,
): Promise<void> {
  await app.transact(async (tx) => {
    if (!(await takeBudgets(tx, emailTries(app, client, isPassed))))
      await refuseSpent(app, request, isPassed)
  })
}

/** A registration that succeeds gives its try back: it is counted as a registration. */
export async function returnEmailTry(tx: Tx, client: RequestClient): Promise<void> {
  await returnBudgets(tx, emailTries(tx.app, client, false))
}

/**
 * Counts a registration in its own transaction, so that a failed registration is not counted. Refuses as
 * `consumeEmailTry`.
 */
export async function consumeRegistration(
  tx: Tx,
  client: RequestClient,
  request: BudgetedRequest,
  isPassed: CaptchaPassed,
): Promise<void> {
  if (!(await takeBudgets(tx, registrations(tx.app, client, isPassed))))
    await refuseSpent(tx.app, request, isPassed)
}

/** Two requests at once may both have found one use left. */
function refuseSpent(app: App, request: BudgetedRequest, isPassed: CaptchaPassed): Promise<never> {
  return isPassed ? refuseUntilTomorrow(app) : refuseWithChallenge(app, request)
}

async function refuseUntilTomorrow(app: App): Promise<never> {
  const now = app.clock.now()
  const tomorrow = startOfProductDay(productDay(now).add({ days: 1 }))
  return refuse('too_many', { retry_after: Math.ceil(msBetween(now, tomorrow) / 1000) })
}

/** The demo installation does not limit the people of its own machine. Behind a proxy everyone could look like them. */
export function isExempt(app: App, address: string): boolean {
  return app.config.demo && isLoopback(address)
}
