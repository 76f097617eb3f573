import type { Ack, Input } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { fromDecimal, toWire, unitsOf } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import { findMeetable } from '../blocks/index.ts'
import { hadCall } from '../calls/index.ts'
import type { UserRow } from '../identity/index.ts'
import {
  missingOnWire,
  notifyShownBalance,
  owed,
  shownBalances,
  transfer,
} from '../ledger/index.ts'
import { addGiftEntry } from '../messenger/index.ts'
import { setting } from '../settings/index.ts'
import { findGiven, findGift } from './queries.ts'
import * as store from './store.ts'
import { type GiftRow, toGift } from './views.ts'

/**
 * Gives a gift: the guy pays its price, the girl earns, and their dialog shows it. A repeat of the random_id returns
 * the first gift and moves nothing. Refuses no_balance, not_found, no_gifts, blocked, key_reused.
 */
export function giveGift(
  app: App,
  viewer: Member,
  asked: Input<'GIVE_GIFT'>,
): Promise<Ack<'GIVE_GIFT'>> {
  return app.transact(async (tx) => {
    // A repeat is answered also where the gift could not be given any more.
    if (!(await isRepeat(tx, viewer, asked))) await give(tx, viewer, asked)
    const { balance } = await shownBalances(app, tx, viewer.id)
    const gift = (await findGift(tx, asked.gift_id)) ?? refuse('not_found')
    return { balance, gift: toGift(gift, viewer.locale) }
  })
}

async function isRepeat(
  tx: Tx,
  viewer: Member,
  { gift_id, recipient_id, random_id }: Input<'GIVE_GIFT'>,
): Promise<boolean> {
  const given = await findGiven(tx, { giver_id: viewer.id, random_id })
  if (!given) return false
  if (given.gift_id !== gift_id || given.girl_id !== recipient_id) refuse('key_reused')
  return true
}

async function give(tx: Tx, viewer: Member, asked: Input<'GIVE_GIFT'>): Promise<void> {
  await refuseIndebted(tx, viewer)
  const girl = await findMeetable(tx, viewer, asked.recipient_id)
  await refuseWrong(tx, viewer, girl, asked)
  const gift = await findGift(tx, asked.gift_id)
  if (!gift?.on_sale) refuse('not_found')
  refuseOtherPrice(gift, asked.price)
  const of = { giver_id: viewer.id, girl_id: girl.id }
  const reward = computeReward(tx, gift)
  const id = await store.insertGiven(tx, {
    ...of,
    gift_id: gift.gift_id,
    price: gift.price,
    reward,
    session_id: asked.session_id ?? null,
    random_id: asked.random_id,
  })
  // A repeat came while the first request ran.
  if (id === undefined) {
    if (await isRepeat(tx, viewer, asked)) return
    refuse('not_found')
  }
  const paid = { guy_id: viewer.id, girl_id: girl.id, gift: toGift(gift), reward }
  const { dialog_id } = await addGiftEntry(tx, paid)
  if (asked.dialog_id !== undefined && asked.dialog_id !== dialog_id) refuse('not_found')
  await pay(tx, { id, price: gift.price, reward, ...of })
  await store.addTotal(tx, viewer.id, gift.price)
  await store.addTotal(tx, girl.id, reward)
  await tell(tx, viewer, { id, gift, reward, girl, dialog_id, session_id: asked.session_id })
}

/** A guy who owes for a purchase that was given back pays that first. */
async function refuseIndebted(tx: Tx, { id }: Member): Promise<void> {
  const { diamond } = await owed(tx, id)
  if (diamond > 0n) refuse('no_balance', { missing: missingOnWire('diamond', diamond) })
}

async function refuseWrong(
  tx: Tx,
  viewer: Member,
  girl: UserRow,
  { session_id }: Input<'GIVE_GIFT'>,
): Promise<void> {
  if (girl.role !== 'girl' || girl.verified_at === null) refuse('not_found')
  if (girl.gifts_forbidden) refuse('no_gifts')
  if (session_id !== undefined && !(await hadCall(tx, session_id, viewer.id, girl.id)))
    refuse('not_found')
}

/** The price has changed since the page showed it. */
function refuseOtherPrice({ price }: GiftRow, shown: string | undefined): void {
  const present = toWire('diamond', price)
  if (shown !== undefined && shown !== present)
    refuse('invalid', { fields: [{ path: 'price', message: `The price is ${present}` }] })
}

/** In coins: the setting is a rate for each minute of the price. */
function computeReward(tx: Tx, { price }: GiftRow): bigint {
  return (fromDecimal('coin', setting(tx.app, 'gift_reward')) * price) / unitsOf.diamond
}

interface PaidGift {
  readonly id: number
  readonly giver_id: number
  readonly girl_id: number
  readonly price: bigint
  readonly reward: bigint
}

async function pay(tx: Tx, { id, giver_id, girl_id, price, reward }: PaidGift): Promise<void> {
  const reference = { what: 'gift', cause: { kind: 'gift', id } }
  const payment = {
    ...reference,
    key: `gift:${id}:price`,
    asset: 'diamond' as const,
    from: { user_id: giver_id },
    to: { house: 'sales' as const },
    amount: price,
  }
  const earning = {
    ...reference,
    key: `gift:${id}:reward`,
    asset: 'coin' as const,
    from: { house: 'conversion' as const },
    to: { user_id: girl_id },
    amount: reward,
  }
  await transfer(tx, reward > 0n ? [payment, earning] : payment)
}

async function tell(
  tx: Tx,
  viewer: Member,
  given: {
    readonly id: number
    readonly gift: GiftRow
    readonly reward: bigint
    readonly girl: UserRow
    readonly dialog_id: number
    readonly session_id: number | undefined
  },
): Promise<void> {
  const { id, gift, reward, girl, dialog_id, session_id } = given
  const { balance } = await shownBalances(tx.app, tx, viewer.id)
  const { gift_id } = gift
  if (reward > 0n)
    await tx.publish('girl_earned', { girl_id: girl.id, guy_id: viewer.id, units: reward })
  await tx.publish('gift_given', { giver_id: viewer.id, girl_id: girl.id, session_id })
  await tx.notify(viewer.id, 'give_gift_success', { id, recipient_id: girl.id, gift_id, balance })
  await tx.notify(girl.id, 'got_gift', {
    id,
    gift_id,
    nick: viewer.nick,
    user_id: viewer.id,
    ...(session_id !== undefined && { session_id }),
    dialog_id,
    reward: toWire('coin', reward),
    create_time: wireTime(tx.now),
  })
  await notifyShownBalance(tx, girl.id)
}
