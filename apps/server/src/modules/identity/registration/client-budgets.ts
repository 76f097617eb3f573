import { createHmac } from 'node:crypto'
import { keyFor } from '../../../lib/derived-key.ts'
import { msBetween, productDay, startOfProductDay } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { App, AppContext, Tx } from '../../../core/app.ts'
import { networkOf, siteOf } from '../../../platform/http/client-address.ts'
import { setting } from '../../settings/index.ts'
import { isExempt } from '../login/login-limits.ts'
import { budgetsSpent } from '../queries.ts'
import { returnBudgets, takeBudgets } from '../store.ts'

/** The network and the device from which a request comes. */
export interface RequestClient {
  readonly address: string
  readonly fingerprint: string | null
}

/** A client of a kind of budget, and how often it may act per day. */
export interface DailyBudget {
  readonly kind: 'email_try' | 'registration'
  readonly client: string
  readonly uses_max: number
}

/** A /48 of IPv6 has many networks of one customer: it may do this many times as much as one network. */
const SITE_FACTOR = 10

/**
 * A device: its fingerprint in its network. A fingerprint alone is coarse, so that owners of one phone model would share
 * a budget, and it is the client's own word. Without one, all such clients of the network are one device.
 */
export function deviceOf(app: AppContext, { address, fingerprint }: RequestClient): string {
  return createHmac('sha256', keyFor(app.config, 'devices'))
    .update(`${networkOf(address)}\n${fingerprint ?? ''}`)
    .digest('base64url')
}

function networkBudgets(
  app: App,
  kind: DailyBudget['kind'],
  address: string,
  usesMax: number,
): DailyBudget[] {
  if (isExempt(app, address)) return []
  const site = siteOf(address)
  return [
    { kind, client: `network ${networkOf(address)}`, uses_max: usesMax },
    ...(site === undefined
      ? []
      : [{ kind, client: `site ${site}`, uses_max: usesMax * SITE_FACTOR }]),
  ]
}

/** The network's budget is the larger one: one device cannot close a shared address for all users behind it. */
function clientBudgets(
  app: App,
  kind: DailyBudget['kind'],
  client: RequestClient,
  uses: { device: number; network: number },
): DailyBudget[] {
  const budgets = networkBudgets(app, kind, client.address, uses.network)
  if (budgets.length === 0) return []
  const device = `device ${deviceOf(app, client)}`
  return [...budgets, { kind, client: device, uses_max: uses.device }]
}

function emailTries(app: App, client: RequestClient): DailyBudget[] {
  return clientBudgets(app, 'email_try', client, {
    device: setting(app, 'email_tries_a_day'),
    network: setting(app, 'network_email_tries_a_day'),
  })
}

function registrations(app: App, client: RequestClient): DailyBudget[] {
  return clientBudgets(app, 'registration', client, {
    device: setting(app, 'device_registrations_a_day'),
    network: setting(app, 'network_registrations_a_day'),
  })
}

/**
 * Counts one try of an e-mail, in a transaction of its own: the refusal that may follow rolls the caller's back. It is
 * counted before anyone looks whether the address is used, so that the refusal is the same for every address.
 * Refuses too_many.
 */
export async function consumeEmailTry(app: App, client: RequestClient): Promise<void> {
  await app.transact(async (tx) => {
    if (!(await takeBudgets(tx, emailTries(app, client)))) refuseUntilTomorrow(app)
  })
}

/** A registration that succeeds gives its try back: it is counted as a registration. */
export async function returnEmailTry(tx: Tx, client: RequestClient): Promise<void> {
  await returnBudgets(tx, emailTries(tx.app, client))
}

/** Refuses too_many if this client may not register any more today; asked before anything about the e-mail is. */
export async function refuseSpentRegistrations(app: App, client: RequestClient): Promise<void> {
  if (await budgetsSpent(app.db, productDay(app.clock.now()), registrations(app, client)))
    refuseUntilTomorrow(app)
}

/** Counts a registration, in its own transaction: one that fails is not counted. Refuses too_many. */
export async function consumeRegistration(tx: Tx, client: RequestClient): Promise<void> {
  if (!(await takeBudgets(tx, registrations(tx.app, client)))) refuseUntilTomorrow(tx.app)
}

function refuseUntilTomorrow(app: App): never {
  const now = app.clock.now()
  const tomorrow = startOfProductDay(productDay(now).add({ days: 1 }))
  refuse('too_many', { retry_after: Math.ceil(msBetween(now, tomorrow) / 1000) })
}
