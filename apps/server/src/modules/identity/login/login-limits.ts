import { refuse } from '../../../lib/refusal.ts'
import { parseRateLimit } from '../../../lib/rate-limit.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { isLoopback, networkOf } from '../../../platform/http/client-address.ts'
import { perApp } from '../../../core/app-state.ts'

const KEYS_MAX = 100_000
const KNOWN_NETWORKS_MAX = 100_000
const rates = perApp(
  'identity: login limits',
  'token buckets of log-ins and registrations; start full',
  (app) => app.createRateLimiter(KEYS_MAX),
)
/** The networks from which each account has logged in, the latest last. */
const knownNetworks = perApp(
  'identity: known networks',
  'networks that logged in before, exempt from captchas; empty after a restart',
  () => new Set<string>(),
)

const EMAIL_CHARACTERS_MAX = 320

/** Takes one attempt of the limit. Refuses too_many, with the time to wait. */
export async function refuseTooMany(app: App, key: string, rate: string): Promise<void> {
  const waitMs = await rates(app).take(key, parseRateLimit(rate), app.clock.now().epochMilliseconds)
  if (waitMs > 0) refuse('too_many', { retry_after: Math.ceil(waitMs / 1000) })
}

/**
 * Counts one password attempt for the network and for the account. Attempts from a network where the owner has logged in
 * before are counted separately, so that guessing from elsewhere cannot lock the owner out. Refuses too_many.
 */
export async function consumeLoginAttempt(
  app: App,
  { login, user_id, address }: LoginAttempt,
): Promise<void> {
  const network = networkOf(address)
  await refuseTooMany(app, `login network ${network}`, '60/min')
  const account = user_id ?? login.slice(0, EMAIL_CHARACTERS_MAX).toLowerCase()
  const isKnown = user_id !== undefined && knownNetworks(app).has(`${user_id} ${network}`)
  await refuseTooMany(app, `login account ${account}${isKnown ? ` from ${network}` : ''}`, '20/min')
}

interface LoginAttempt {
  readonly login: string
  readonly user_id: UserId | undefined
  readonly address: string
}

/** Records a network from which the correct password came. */
export function rememberLogin(app: App, user_id: UserId, address: string): void {
  const remembered = knownNetworks(app)
  const key = `${user_id} ${networkOf(address)}`
  remembered.delete(key)
  remembered.add(key)
  if (remembered.size > KNOWN_NETWORKS_MAX) remembered.delete(remembered.values().next().value!)
}

/** Limits the new guests of a network; the machine itself is exempt. Refuses too_many. */
export async function consumeNewGuest(app: App, address: string): Promise<void> {
  if (!isLoopback(address)) await refuseTooMany(app, `guests ${networkOf(address)}`, '600/min')
}
