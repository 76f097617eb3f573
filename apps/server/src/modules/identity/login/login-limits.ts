import { createHash } from 'node:crypto'
import { refuse } from '../../../lib/refusal.ts'
import { setNewest } from '../../../lib/bounded-map.ts'
import { parseRateLimit, type RateLimiter } from '../../../lib/rate-limit.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { isLoopback, networkOf, siteOf } from '../../../platform/http/client-address.ts'
import { perApp } from '../../../core/app-state.ts'
import type { HashLane } from './passwords.ts'

/**
 * The limits of this module. Each has a map of its own, so that a key of one limit cannot be another's, and a flood of
 * keys of one limit cannot make the server forget another. `site` is a /48 of IPv6: one customer may have 65,536 networks.
 */
const RATES = {
  login_network: '60/min',
  login_site: '600/min',
  login_account: '20/min',
  login_known: '20/min',
  new_guest: '600/min',
  tombstone_network: '60/min',
  tombstone: '600/min',
  factor_account: '10/hour',
  factor_known: '10/hour',
  factor_change: '10/hour',
  password_change: '20/min',
  email_change: '5/day',
} as const
type LimitedAct = keyof typeof RATES

const KEYS_MAX = 100_000
const limiters = perApp(
  'identity: login limits',
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

/** Takes one attempt of the limit; if none is left, the seconds until there is one. */
async function secondsUntilFree(app: App, act: LimitedAct, key: string): Promise<number> {
  const nowMs = app.clock.now().epochMilliseconds
  const waitMs = await limiters(app)[act].take(key, parseRateLimit(RATES[act]), nowMs)
  return Math.ceil(waitMs / 1000)
}

const USERS_MAX = 50_000
/** Few, so that a user with many networks cannot make the server forget those of others. */
const NETWORKS_OF_USER_MAX = 8
/** The networks from which each user has logged in, the latest last; the user who logged in last is the last too. */
const knownNetworks = perApp(
  'identity: known networks',
  'networks that logged in before, with limits of their own; empty after a restart, only recoveries ask the rows of logins',
  () => new Map<UserId, readonly string[]>(),
)

/** An attempt that the limits permit. */
export interface PermittedAttempt {
  readonly lane: HashLane
  /** False: the password is not compared, and the attempt is refused. */
  readonly is_checked: boolean
  /** The answer to a wrong password: wrong_login if undefined, otherwise too_many with these seconds. */
  readonly retry_after: number | undefined
}

/**
 * Counts one password attempt for the network and for the account. A network where the owner has logged in before may go
 * on when the account's attempts are spent, so that guessing from elsewhere cannot lock the owner out. But only the
 * correct password shows it: users who share that network would otherwise learn from a different answer to a wrong one
 * that a person there is a member. The account is named by a hash of what was typed: the same for accounts that exist
 * and for those that do not, and no text can be the key of another limit. Refuses too_many.
 */
export async function consumeLoginAttempt(
  app: App,
  { login, user_id, address }: LoginAttempt,
): Promise<PermittedAttempt> {
  const network = networkOf(address)
  const site = siteOf(address)
  if (site !== undefined) await refuseTooMany(app, 'login_site', site)
  await refuseTooMany(app, 'login_network', network)
  const account = createHash('sha256').update(login.toLowerCase()).digest('base64url')
  const isKnown = user_id !== undefined && isKnownNetwork(app, user_id, address)
  const lane = isKnown ? 'known' : 'public'
  const waitSeconds = await secondsUntilFree(app, 'login_account', account)
  if (waitSeconds === 0) return { lane, is_checked: true, retry_after: undefined }
  const isChecked =
    isKnown && (await secondsUntilFree(app, 'login_known', `${account} ${network}`)) === 0
  return { lane, is_checked: isChecked, retry_after: waitSeconds }
}

/** Whether this user logged in from the network of this address before. */
export function isKnownNetwork(app: App, user_id: UserId, address: string): boolean {
  return knownNetworks(app).get(user_id)?.includes(networkOf(address)) === true
}

interface LoginAttempt {
  readonly login: string
  readonly user_id: UserId | undefined
  readonly address: string
}

/**
 * Counts one try of a one-time code by a client that has the password. Networks from which the owner logged in before have a
 * limit of their own: a thief of the password cannot keep the owner out by wrong codes. Refuses too_many.
 */
export async function consumeFactorAttempt(
  app: App,
  user_id: UserId,
  address: string,
): Promise<void> {
  if (isKnownNetwork(app, user_id, address))
    await refuseTooMany(app, 'factor_known', `${user_id} ${networkOf(address)}`)
  else await refuseTooMany(app, 'factor_account', String(user_id))
}

/** Counts one log-in by a passkey for the network. Refuses too_many. */
export async function consumePasskeyLogin(app: App, address: string): Promise<void> {
  const site = siteOf(address)
  if (site !== undefined) await refuseTooMany(app, 'login_site', site)
  await refuseTooMany(app, 'login_network', networkOf(address))
}

/** Records a network from which the owner logged in: with the correct password, and the second factor where there is one. */
export function rememberLogin(app: App, user_id: UserId, address: string): void {
  const remembered = knownNetworks(app)
  const network = networkOf(address)
  const others = (remembered.get(user_id) ?? []).filter((one) => one !== network)
  const networks = [...others, network].slice(-NETWORKS_OF_USER_MAX)
  setNewest(remembered, user_id, networks, USERS_MAX)
}

/** Limits the new guests of a network. Refuses too_many. */
export async function consumeNewGuest(app: App, address: string): Promise<void> {
  if (!isExempt(app, address)) await refuseTooMany(app, 'new_guest', networkOf(address))
}

/** Takes one empty tombstone of this network and of all networks together; false if there is none left. */
export async function takeTombstone(app: App, address: string): Promise<boolean> {
  return (
    (await secondsUntilFree(app, 'tombstone_network', networkOf(address))) === 0 &&
    (await secondsUntilFree(app, 'tombstone', 'all networks')) === 0
  )
}

/** The demo installation does not limit the people of its own machine. Behind a proxy everyone could look like them. */
export function isExempt(app: App, address: string): boolean {
  return app.config.demo && isLoopback(address)
}
