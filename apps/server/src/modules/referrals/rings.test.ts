import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { buy, giveBack } from '@duet/testkit/stand-ins/shop.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { unitsOf } from '../../lib/money.ts'
import { forgetUser } from '../identity/index.ts'
import { balances } from '../ledger/index.ts'

type Link = 'device' | 'instrument' | 'wallet'

/**
 * Accounts invite each other in a line; the first and the last are one user, as a link between the two shows. One of the
 * invited accounts buys.
 */
interface Scenario {
  /** The invitations of the line: 1 is an invitation to oneself. */
  readonly invitations: number
  /** The number of the invited account that buys, from 1. */
  readonly buyer: number
  readonly link: Link | 'none' | 'with another account'
  /** Whether the link is known when the account buys, or is only found before the share is paid. */
  readonly linked: 'before' | 'after'
  readonly returned: 'nothing' | 'a half' | 'all'
}

const PRICE = 1500n
const SHARE = (15n * unitsOf.diamond) / 10n
const RETURNED = { nothing: 0n, 'a half': PRICE / 2n, all: PRICE }

function* scenarios(): Generator<Scenario> {
  for (const invitations of [1, 2, 3, 4])
    for (let buyer = 1; buyer <= invitations; buyer += 1)
      for (const link of [
        'device',
        'instrument',
        'wallet',
        'none',
        'with another account',
      ] as const)
        for (const linked of ['before', 'after'] as const)
          for (const returned of ['nothing', 'a half', 'all'] as const)
            yield { invitations, buyer, link, linked, returned }
}

/** The flag of the share, and the units that the inviter has in the end. */
function expectation({ invitations, link, returned }: Scenario) {
  const isRing = link !== 'none' && link !== 'with another account'
  if (isRing) return { flag: invitations === 1 ? `same_${link}` : 'ring', units: 0n }
  return { flag: null, units: SHARE - (SHARE * RETURNED[returned]) / PRICE }
}

const FIRST_ID = 2_000_000_000

/** Copies of a guy, each invited by the account before, and one account without an inviter at the end. */
async function addLine(testApp: TestApp, copied: number, first: number, invitations: number) {
  const ids = Array.from({ length: invitations + 2 }, (_, place) => first + place)
  const { db } = testApp.app
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', copied)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('users')
    .values(
      ids.map((id, place) =>
        Object.assign({}, row, {
          id,
          nick: `N${id}`,
          email: `${id}@duet.example`,
          ref_code: `R${id}`,
          usdt_wallet: null,
          referred_by: place > 0 && place <= invitations ? id - 1 : null,
        }),
      ),
    )
    .execute()
  for (const id of ids) forgetUser(testApp.app, id)
  return ids
}

async function addLink(testApp: TestApp, kind: Link, one: number, other: number): Promise<void> {
  const { db, clock } = testApp.app
  const value = `of ${one}`
  if (kind === 'wallet') {
    await db
      .updateTable('users')
      .set({ usdt_wallet: value })
      .where('id', 'in', [one, other])
      .execute()
  } else if (kind === 'device') {
    const value_hash = createHash('sha256').update(value).digest()
    const now = clock.now()
    const seen = {
      signal: 'device',
      value_hash,
      first_at: now,
      last_at: now,
      last_day: '2026-01-01',
    }
    await db
      .insertInto('client_signals')
      .values([one, other].map((user_id) => Object.assign({ user_id }, seen)) as never)
      .execute()
  } else {
    // Neither order has an inviter's share in this story, so that only the purchase of the scenario counts.
    const lines = await db
      .selectFrom('users')
      .select(['id', 'referred_by'])
      .where('id', 'in', [one, other])
      .execute()
    const setInviter = async (id: number, referred_by: number | null) => {
      await db.updateTable('users').set({ referred_by }).where('id', '=', id).execute()
      forgetUser(testApp.app, id)
    }
    for (const { id } of lines) await setInviter(id, null)
    for (const { id } of lines) await buy(testApp, id, value, PRICE)
    for (const { id, referred_by } of lines) await setInviter(id, referred_by)
  }
}

story(
  'accounts of one user bring each other nothing, however many invitations are between them',
  async ({ testApp, boris }) => {
    const all = [...scenarios()]
    ok(all.length >= 200)
    let next = FIRST_ID
    const played = []
    for (const scenario of all) {
      const { invitations, buyer, link, linked, returned } = scenario
      const ids = await addLine(testApp, boris.id, next, invitations)
      next += ids.length
      const addLinks = async () => {
        if (link === 'none') return
        const isOther = link === 'with another account'
        await addLink(testApp, isOther ? 'device' : link, ids[0]!, ids.at(isOther ? -1 : -2)!)
      }
      if (linked === 'before') await addLinks()
      const order_id = await buy(testApp, ids[buyer]!, null, PRICE)
      if (linked === 'after') await addLinks()
      if (returned !== 'nothing')
        await giveBack(testApp, ids[buyer]!, order_id, RETURNED[returned], PRICE)
      played.push({ scenario, order_id, inviter_id: ids[buyer - 1]! })
    }
    testApp.clock.sleep(testApp.clock.now().add({ hours: 24 * 31 }))
    await testApp.app.jobs.run('referrals pay')
    for (const { scenario, order_id, inviter_id } of played) {
      const { flag, state } = await testApp.app.db
        .selectFrom('referral_shares')
        .select(['flag', 'state'])
        .where('order_id', '=', order_id)
        .executeTakeFirstOrThrow()
      const { balance_units: units } = await balances(testApp.app.db, inviter_id)
      deepEqual({ flag, units }, expectation(scenario), JSON.stringify(scenario))
      equal(state, flag === null ? 'paid' : 'flagged')
    }
  },
)
