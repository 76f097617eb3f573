import { createHash } from 'node:crypto'
import { refuse } from '../../../lib/refusal.ts'
import { setNewest } from '../../../lib/bounded-map.ts'
import { parseRateLimit, type RateLimit, type RateLimiter } from '../../../lib/rate-limit.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { toNetwork, findSite } from '../../../platform/http/client-address.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { perApp } from '../../../core/app-state.ts'
import { spendCaptcha } from '../../../platform/dispatch/captcha/captcha-gate.ts'
import { isExempt } from '../../client-signals/index.ts'
import { setting } from '../../settings/index.ts'

/**
 * The limits of this module. Each limit has a map of its own: a key cannot count for another limit, and a
 * flood of keys cannot evict another limit's keys. `site` is a /48 of IPv6: one customer may have 65,536
 * networks.
 */
const RATES = {
  login_network: '60/min',
  login_site: '600/min',
  login_verified: '20/min',
  new_guest: '600/min',
  new_guest_site: '6000/min',
  tombstone_network: '60/min',
  tombstone: '600/min',
  factor_account: '10/hour',
  factor_known: '10/hour',
  factor_change: '10/hour',
  email_change: '5/day',
} as const
type LimitedAct = keyof typeof RATES

const KEYS_MAX = 100_000
const limiters = perApp(
  'logins: login limits',
  'token buckets of log-ins and new guests; start full',
  (app) =>
    Object.fromEntries(
      Object.keys(RATES).map((act) => [act, app.createRateLimiter(KEYS_MAX)]),
    ) as Record<LimitedAct, RateLimiter>,
)

/** Takes one attempt of the limit. Refuses too_many, with the time to wait. */
export async function refuseTooMany(app: App, act: LimitedAct, key: string): Promise<void> {
  const waitSeconds = await secondsUntilFree(app, act, key)
  if (waitSeconds > 0) refuse('too_many', { retry_after: waitSeconds })
}

/** Takes an attempt of the limit. If no attempt is left, returns the seconds until an attempt is free. */
async function secondsUntilFree(app: App, act: LimitedAct, key: string): Promise<number> {
  const nowMs = app.clock.now().epochMilliseconds
  const waitMs = await limiters(app)[act].take(key, parseRateLimit(RATES[act]), nowMs)
  return Math.ceil(waitMs / 1000)
}

const freeTriesOf = perApp(
  'logins: free login attempts',
  'failed attempts and requests for recovery mails that need no captcha yet; start full',
  (app) => ({
    account: app.createRateLimiter(KEYS_MAX),
    network: app.createRateLimiter(KEYS_MAX),
    owner_minutes: app.createRateLimiter(KEYS_MAX),
    owner_day: app.createRateLimiter(KEYS_MAX),
    recovery_account: app.createRateLimiter(KEYS_MAX),
    recovery_network: app.createRateLimiter(KEYS_MAX),
  }),
)

const USERS_MAX = 50_000
/** Few, so that a user with many networks cannot make the server forget those of others. */
const NETWORKS_OF_USER_MAX = 8
/** The networks from which each user has logged in, the latest last; the user who logged in last is the last too. */
const knownNetworks = perApp(
  'logins: known networks',
  'networks that logged in before, with limits of their own; empty after a restart, only recoveries ask the rows of logins',
  () => new Map<UserId, readonly string[]>(),
)

/** Failed attempts that need no captcha come back over an hour. */
const FREE_TRIES_SECONDS = 3600

function freeTries(count: number): RateLimit {
  return { burst: count, per_second: count / FREE_TRIES_SECONDS }
}

/** An attempt that the limits permit. */
export interface PermittedAttempt {
  /** The password was correct: such an attempt does not count. */
  succeeded(): Promise<void>
}

/**
 * Counts one password attempt for the account and for the network. After some failures of either, a captcha
 * is required, before the account is looked up. The captcha replaces the limit of the account, so that
 * guesses from elsewhere cannot lock the owner out. After a captcha, account and network together have a
 * limit.
 *
 * The account is named by a hash of the typed text. The hash is the same for existing and missing accounts,
 * and no text can be the key of another limit. Refuses too_many, captcha_required.
 */
export async function consumeLoginAttempt(
  app: App,
  login: string,
  request: { readonly viewer: Viewer; readonly context: RequestContext },
): Promise<PermittedAttempt> {
  const { address } = request.context
  const network = toNetwork(address)
  const site = findSite(address)
  if (site !== undefined) await refuseTooMany(app, 'login_site', site)
  await refuseTooMany(app, 'login_network', network)
  const account = hashOfTyped(login)
  const ofAccount = freeTries(setting(app, 'login_tries_an_hour'))
  const ofNetwork = freeTries(setting(app, 'network_login_tries_an_hour'))
  const tries = freeTriesOf(app)
  const nowMs = app.clock.now().epochMilliseconds
  const succeeded = async () => {
    await tries.account.giveBack(account, ofAccount)
    await tries.network.giveBack(network, ofNetwork)
  }
  const isFree =
    (await tries.account.take(account, ofAccount, nowMs)) === 0 &&
    (await tries.network.take(network, ofNetwork, nowMs)) === 0
  if (!isFree) {
    await spendCaptcha(app, { purpose: 'login', ...request })
    await refuseTooMany(app, 'login_verified', `${account} ${network}`)
  }
  return { succeeded }
}

/** The wrong passwords of one login, beside which the password is asked for: 5 in 10 minutes, 10 a day. */
const OWNER_MINUTES: RateLimit = { burst: 5, per_second: 5 / 600 }
const OWNER_DAY: RateLimit = { burst: 10, per_second: 10 / 86_400 }

/**
 * Counts one password of a page that is logged in. A correct password does not count. Returns 'over' if the
 * login has used up the wrong passwords of the day. Refuses too_many.
 */
export async function consumeOwnerGuess(
  app: App,
  login_id: number,
): Promise<PermittedAttempt | 'over'> {
  const { owner_minutes, owner_day } = freeTriesOf(app)
  const key = String(login_id)
  const nowMs = app.clock.now().epochMilliseconds
  const waitMs = await owner_minutes.take(key, OWNER_MINUTES, nowMs)
  if (waitMs > 0) refuse('too_many', { retry_after: Math.ceil(waitMs / 1000) })
  if ((await owner_day.take(key, OWNER_DAY, nowMs)) > 0) return 'over'
  return {
    async succeeded() {
      await owner_minutes.giveBack(key, OWNER_MINUTES)
      await owner_day.giveBack(key, OWNER_DAY)
    },
  }
}

function hashOfTyped(login: string): string {
  return createHash('sha256').update(login.toLowerCase()).digest('base64url')
}

/**
 * Counts one request for a recovery mail for the address and for the network. After some requests of
 * either, a captcha is required, before the address is looked up. Refuses captcha_required.
 */
export async function consumeRecovery(
  app: App,
  email: string,
  request: { readonly viewer: Viewer; readonly context: RequestContext },
): Promise<void> {
  const tries = freeTriesOf(app)
  const nowMs = app.clock.now().epochMilliseconds
  const ofAccount = freeTries(setting(app, 'login_tries_an_hour'))
  const ofNetwork = freeTries(setting(app, 'network_login_tries_an_hour'))
  const network = toNetwork(request.context.address)
  const isFree =
    (await tries.recovery_account.take(hashOfTyped(email), ofAccount, nowMs)) === 0 &&
    (await tries.recovery_network.take(network, ofNetwork, nowMs)) === 0
  if (!isFree) await spendCaptcha(app, { purpose: 'recovery', ...request })
}

/** Whether this user logged in from the network of this address before. */
export function isKnownNetwork(app: App, user_id: UserId, address: string): boolean {
  return knownNetworks(app).get(user_id)?.includes(toNetwork(address)) === true
}

/**
 * Counts one try of a one-time code by a client that has the password. Networks from which the owner logged
 * in before have a separate limit. So a thief of the password cannot lock the owner out by wrong codes.
 * Refuses too_many.
 */
export async function consumeFactorAttempt(
  app: App,
  user_id: UserId,
  address: string,
): Promise<void> {
  if (isKnownNetwork(app, user_id, address))
    await refuseTooMany(app, 'factor_known', `${user_id} ${toNetwork(address)}`)
  else await refuseTooMany(app, 'factor_account', String(user_id))
}

/** Counts one log-in by a passkey for the network. Refuses too_many. */
export async function consumePasskeyLogin(app: App, address: string): Promise<void> {
  const site = findSite(address)
  if (site !== undefined) await refuseTooMany(app, 'login_site', site)
  await refuseTooMany(app, 'login_network', toNetwork(address))
}

/**
 * Records a network from which the owner logged in: with the correct password, and with the second factor
 * if the account has a factor.
 */
export function rememberLogin(app: App, user_id: UserId, address: string): void {
  const remembered = knownNetworks(app)
  const network = toNetwork(address)
  const others = (remembered.get(user_id) ?? []).filter((one) => one !== network)
  const networks = [...others, network].slice(-NETWORKS_OF_USER_MAX)
  setNewest(remembered, user_id, networks, USERS_MAX)
}

/** Limits the new guests of a network; then a captcha is asked for. Refuses captcha_required. */
export async function consumeNewGuest(
  app: App,
  request: { readonly viewer: Viewer; readonly context: RequestContext },
): Promise<void> {
  const { address } = request.context
  if (isExempt(app, address)) return
  const site = findSite(address)
  const isOver =
    (await secondsUntilFree(app, 'new_guest', toNetwork(address))) > 0 ||
    (site !== undefined && (await secondsUntilFree(app, 'new_guest_site', site)) > 0)
  if (isOver) await spendCaptcha(app, { purpose: 'activity', ...request })
}

/** Takes an empty tombstone of this network and of all networks together. False if no tombstone is left. */
export async function takeTombstone(app: App, address: string): Promise<boolean> {
  return (
    (await secondsUntilFree(app, 'tombstone_network', toNetwork(address))) === 0 &&
    (await secondsUntilFree(app, 'tombstone', 'all networks')) === 0
  )
}
