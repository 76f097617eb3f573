import type { Tx } from '../../core/app.ts'
import { fromDecimal } from '../../lib/money.ts'
import type { ReservedSeconds } from '../calls/index.ts'
import { balances, openHold, postHold } from '../ledger/index.ts'
import { setting } from '../settings/index.ts'
import type { VirtualDateRecord } from './date-record.ts'

type DateMoney = Pick<VirtualDateRecord, 'price' | 'earn' | 'hold_id' | 'hold_units'>

/** Reserves the minutes at the private price of this moment. Refuses no_balance. */
export async function holdDate(
  tx: Tx,
  { date_id, guy_id, minutes }: Pick<VirtualDateRecord, 'date_id' | 'guy_id' | 'minutes'>,
): Promise<DateMoney> {
  const price = fromDecimal('diamond', setting(tx.app, 'price_private'))
  const earn = fromDecimal('coin', setting(tx.app, 'earn_private'))
  const hold_units = price * BigInt(minutes)
  // A free price holds nothing.
  if (hold_units === 0n) return { price, earn, hold_id: null, hold_units }
  const { hold_id } = await openHold(tx, {
    ...reference(date_id, 'hold'),
    user_id: guy_id,
    asset: 'diamond',
    amount: hold_units,
  })
  return { price, earn, hold_id, hold_units }
}

/** The hold of a date whose call never connected. Undefined: its money is not there any more. Null: the price is nothing. */
export async function holdAgain(
  tx: Tx,
  { date_id, guy_id, hold_id: before, hold_units }: VirtualDateRecord,
): Promise<number | null | undefined> {
  if (before === null) return null
  const { available_units } = await balances(tx, guy_id)
  if (available_units < hold_units) return undefined
  const { hold_id } = await openHold(tx, {
    ...reference(date_id, `hold:${before}`),
    user_id: guy_id,
    asset: 'diamond',
    amount: hold_units,
  })
  return hold_id
}

/** The whole hold goes back to him. */
export async function releaseHold(tx: Tx, date: VirtualDateRecord): Promise<void> {
  if (date.hold_id === null) return
  await postHold(tx, {
    ...reference(date.date_id, 'void'),
    hold_id: date.hold_id,
    asset: 'diamond',
    amount: 0n,
    to: { house: 'sales' },
  })
}

/** A missed date: his part goes to sales, hers comes from conversion, and the rest of the hold goes back. */
export async function keepPart(tx: Tx, date: VirtualDateRecord): Promise<void> {
  const { date_id, girl_id, hold_id, kept_units, earned_units } = date
  if (hold_id === null) return
  await postHold(tx, {
    ...reference(date_id, 'missed'),
    hold_id,
    asset: 'diamond',
    amount: kept_units,
    to: { house: 'sales' },
    linked:
      earned_units === 0n
        ? []
        : [
            {
              ...reference(date_id, 'earned'),
              asset: 'coin',
              from: { house: 'conversion' },
              to: { user_id: girl_id },
              amount: earned_units,
            },
          ],
  })
  for (const user_id of [date.guy_id, girl_id]) {
    const { balance, balance_messages } = await balances(tx, user_id)
    await tx.notify(user_id, 'balance', { balance, balance_messages })
  }
}

/** The call of the date takes this over. */
export function toReserved({
  minutes,
  price,
  earn,
  hold_id,
  hold_units,
}: VirtualDateRecord): ReservedSeconds {
  return {
    seconds: minutes * 60,
    price_private: price,
    earn_private: earn,
    ...(hold_id !== null && { hold: { hold_id, units: hold_units } }),
  }
}

function reference(date_id: number, step: string) {
  return { key: `date:${date_id}:${step}`, what: 'date', cause: { kind: 'date', id: date_id } }
}
