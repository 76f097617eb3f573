import type { Answer, Query } from '@duet/protocol'
import type { Package, PayMethod } from '@duet/protocol/contracts/billing.ts'
import type { App, AppContext } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { Db } from '../../core/db.ts'
import type { Member } from '../../core/viewer.ts'
import type { Gateway } from '../../integrations/payments/gateway.ts'
import { toDecimal } from '../../lib/payments/minor-units.ts'
import { wireTime } from '../../lib/clock.ts'
import { cachedUser } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { configuredGateway } from './methods/configured-gateway.ts'
import { hasGiftCards, type PricedPackage, readPackages } from './queries.ts'

export const BOOK_CURRENCY = 'USD'

/** The method that the browser is sent to; a method that is not offered here has none. */
export function findGateway(context: AppContext, method: string): Gateway | undefined {
  if (!setting(context, 'payment_methods').includes(method)) return undefined
  return configuredGateway(context, method)
}

/** The methods that are offered, in the order of the setting. */
export async function offeredMethods(context: AppContext, db: Db): Promise<PayMethod[]> {
  const methods: string[] = []
  for (const method of setting(context, 'payment_methods'))
    if (method === 'giftcard' ? await sellsGiftCards(context, db) : findGateway(context, method))
      methods.push(method)
  return methods as PayMethod[]
}

const CARDS_KNOWN_MS = 60_000

const knownCards = perApp(
  'billing: whether there are gift cards',
  'read again after a minute',
  () => ({ has_cards: false, until_ms: 0 }),
)

/** Every page asks for the methods: the database is asked once a minute. */
async function sellsGiftCards(context: AppContext, db: Db): Promise<boolean> {
  const known = knownCards(context)
  const nowMs = context.clock.now().epochMilliseconds
  if (nowMs < known.until_ms) return known.has_cards
  known.has_cards = await hasGiftCards(db)
  known.until_ms = nowMs + CARDS_KNOWN_MS
  return known.has_cards
}

/** The end of the sale, if there is one now. */
function saleEnd(context: AppContext, now: Temporal.Instant): Temporal.Instant | null | undefined {
  if (!setting(context, 'discount_enabled')) return undefined
  const until = setting(context, 'sale_until')
  if (until === 'none') return null
  const end = Temporal.Instant.from(until)
  return Temporal.Instant.compare(now, end) < 0 ? end : undefined
}

/** The bonus minutes of each package: the setting lists them by the place of the pack. */
export function saleBonus(
  context: AppContext,
  packages: readonly PricedPackage[],
  now: Temporal.Instant,
): ReadonlyMap<number, number> {
  if (saleEnd(context, now) === undefined) return new Map()
  const bonuses = setting(context, 'sale_bonus').map(Number)
  const minutes = packages.filter(({ pack }) => pack === 'minutes')
  return new Map(minutes.map(({ package_id }, place) => [package_id, bonuses[place] ?? 0]))
}

/** The price list. A package shows the methods that take its currency. */
export async function getPackages(
  app: App,
  viewer: Member,
  { currency = BOOK_CURRENCY }: Query<'GET packages'>,
): Promise<Answer<'GET packages'>> {
  const now = app.clock.now()
  const packages = await readPackages(app.db, currency)
  const methods = await offeredMethods(app, app.db)
  const bonuses = saleBonus(app, packages, now)
  const end = saleEnd(app, now)
  const taking = methods.filter(
    (method) => method === 'giftcard' || findGateway(app, method)?.currencies.has(currency),
  )
  const user = await cachedUser(app, app.db, viewer.id)
  return {
    packages: packages.map((one): Package => {
      const bonus = bonuses.get(one.package_id) ?? 0
      return {
        package_id: one.package_id,
        pack: one.pack,
        value: one.value,
        bonus,
        price: toDecimal(one.price, one.currency),
        currency: one.currency,
        methods: taking,
        ...(bonus > 0 && end && { sale_until: wireTime(end) }),
      }
    }),
    default_pay_system: chosenMethod(user?.default_pay_system ?? null, taking),
  }
}

/** The remembered method. Our own codes are no method of payment: the first provider stands for them. */
function chosenMethod(remembered: string | null, offered: readonly PayMethod[]): PayMethod | null {
  const method = remembered === 'giftcard' ? 'verotel' : remembered
  return offered.find((one) => one === method) ?? null
}
