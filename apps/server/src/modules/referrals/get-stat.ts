import type { Answer } from '@duet/protocol'
import type { ReferralEntry } from '@duet/protocol/contracts/referrals.ts'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { fromDecimal, toWire } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import { userNow } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { heldSum, readRegistered, readShares, readTotals, type TotalRow } from './queries.ts'
import { kindOfInvited } from './rules.ts'

const HISTORY_MAX = 100

/** The own links, the users that they brought, and the newest shares. Amounts are in the viewer's own currency. */
export async function getStat(
  app: App,
  viewer: Member,
  _query: object,
  context: RequestContext,
): Promise<Answer<'GET ref_stat'>> {
  const ref_code = (await userNow(app, viewer.id))?.ref_code ?? refuse('not_found')
  const asset = viewer.role === 'girl' ? 'coin' : 'diamond'
  const totals = await readTotals(app.db, viewer.id)
  const origin = context.origin ?? app.config.origins[0]!
  const sumShares = (kind: Role) =>
    toSums(
      totals.find((total) => total.kind === kind),
      asset,
    )
  const items = await readHistory(app, viewer.id, asset)
  return {
    links: { guys: `${origin}/?rc=${ref_code}`, girls: `${origin}/?rc=${ref_code}&for=girls` },
    ref_code,
    guys: sumShares('guy'),
    girls: sumShares('girl'),
    rates: {
      guest: setting(app, 'referral_guest'),
      model: setting(app, 'referral_model'),
      guy: setting(app, 'referral_guy'),
    },
    bonus: {
      minutes: toWire('diamond', fromDecimal('diamond', setting(app, 'referral_bonus'))),
      coins: toWire('coin', fromDecimal('coin', setting(app, 'referral_bonus_at'))),
    },
    hold_days: setting(app, 'referral_hold_days'),
    held: toWire(asset, await heldSum(app.db, viewer.id)),
    history: { items, page: 1, per_page: HISTORY_MAX, total: null, next: false },
  }
}

/** The newest shares and registrations, the newest first. */
async function readHistory(
  app: App,
  inviter_id: UserId,
  asset: 'coin' | 'diamond',
): Promise<ReferralEntry[]> {
  const shares = await readShares(app.db, inviter_id, HISTORY_MAX)
  const registered = await readRegistered(app.db, inviter_id, HISTORY_MAX)
  const entries: ReferralEntry[] = [
    ...shares.map((share): ReferralEntry => {
      const isBack = share.taken_back > 0n && share.taken_back === share.amount
      return {
        at: wireTime(share.created_at),
        kind: kindOfInvited(share.what),
        nick: share.nick,
        what: isBack ? 'taken_back' : (share.what as ReferralEntry['what']),
        amount: toWire(asset, share.amount - share.taken_back),
        held_until: share.state === 'held' ? wireTime(share.due_at) : null,
      }
    }),
    ...registered.map(({ nick, role, registered_at }): ReferralEntry => ({
      at: wireTime(registered_at!),
      kind: role === 'girl' ? 'girl' : 'guy',
      nick,
      what: 'registered',
      amount: toWire(asset, 0n),
      held_until: null,
    })),
  ]
  return entries
    .toSorted((one, other) => Number(one.at < other.at) - Number(one.at > other.at))
    .slice(0, HISTORY_MAX)
}

function toSums(total: TotalRow | undefined, asset: 'coin' | 'diamond') {
  return {
    invited: total?.invited ?? 0,
    registered: total?.registered ?? 0,
    bought: total?.bought ?? 0,
    earned: toWire(asset, total?.earned ?? 0n),
  }
}
