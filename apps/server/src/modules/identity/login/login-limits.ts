import { refuse } from '../../../lib/refusal.ts'
import { parseRateLimit } from '../../../lib/rate-limit.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { isLoopback, networkOf } from '../../../platform/http/client-address.ts'
import { perApp } from '../../../core/module.ts'

const keys_max = 100_000
const networks_remembered = 100_000
const rates = perApp(
  'identity: login limits',
  'token buckets of log-ins and registrations; start full',
  (app) => app.createRateLimiter(keys_max),
)
/** From where each account was logged in to, the latest last. Forgotten with the process: the owner is then slowed like everybody. */
const logged_in_from = perApp(
  'identity: known networks',
  'networks that logged in before, exempt from captchas; empty after a restart',
  () => new Set<string>(),
)

const email_longest = 320

/** Takes one try, or says how long to wait. */
export async function refuseTooMany(app: App, key: string, rate: string): Promise<void> {
  const wait_ms = await rates(app).take(
    key,
    parseRateLimit(rate),
    app.clock.now().epochMilliseconds,
  )
  if (wait_ms > 0) refuse('too_many', { retry_after: Math.ceil(wait_ms / 1000) })
}

/**
 * One try at a password, counted for the network and for the account. Tries from where the owner logged in before are
 * counted apart, so that nobody who guesses from elsewhere can keep him out.
 */
export async function consumeLoginAttempt(
  app: App,
  { login, user_id, address }: LoginTry,
): Promise<void> {
  const network = networkOf(address)
  await refuseTooMany(app, `login network ${network}`, '60/min')
  const account = user_id ?? login.slice(0, email_longest).toLowerCase()
  const known = user_id !== undefined && logged_in_from(app).has(`${user_id} ${network}`)
  await refuseTooMany(app, `login account ${account}${known ? ` from ${network}` : ''}`, '20/min')
}

interface LoginTry {
  readonly login: string
  readonly user_id: UserId | undefined
  readonly address: string
}

/** The right password came from here. */
export function rememberLogin(app: App, user_id: UserId, address: string): void {
  const remembered = logged_in_from(app)
  const key = `${user_id} ${networkOf(address)}`
  remembered.delete(key)
  remembered.add(key)
  if (remembered.size > networks_remembered) remembered.delete(remembered.values().next().value!)
}

/** New guests cost nothing to make but an id: a network gets so many. This machine itself is the operator's own. */
export async function consumeNewGuest(app: App, address: string): Promise<void> {
  if (!isLoopback(address)) await refuseTooMany(app, `guests ${networkOf(address)}`, '600/min')
}
