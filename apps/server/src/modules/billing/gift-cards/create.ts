import type { App } from '../../../core/app.ts'
import type { CommandArguments } from '../../../core/module.ts'
import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { productDay } from '../../../lib/clock.ts'
import { CommandRefused } from '../../../platform/operator/commands.ts'
import { shellActor, writeAudit } from '../../audit/index.ts'
import { needSecondPerson } from '../../approvals/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { parseDay } from '../../identity/index.ts'
import { insertGiftCards } from '../store.ts'
import { hashCode, newCode } from './code.ts'

const CARDS_MAX = 1_000
const MINUTES_MAX = 100_000

/** `duet giftcards create`, which a second person allows: the codes are printed once and stored as hashes. */
export async function createGiftCards(app: App, given: CommandArguments) {
  const { options } = given
  const count = countIn('--count', options.count, CARDS_MAX)
  const minutes = countIn('--minutes', options.minutes, MINUTES_MAX)
  const price_usd = typeof options.price === 'string' ? toMinor(options.price, 'USD') : 0n
  if (price_usd === undefined) throw new CommandRefused('--price is a price in USD like 14.99.')
  const until = typeof options.until === 'string' ? parseDay(options.until) : null
  if (until === undefined || (until && isPast(app, until)))
    throw new CommandRefused('--until is a day to come, like 2030-12-31.')
  const codes = Array.from({ length: count }, newCode)
  const batch = `${productDay(app.clock.now()).toString()}-${codes.length}x${minutes}`
  const waiting = await app.transact(async (tx) => {
    const facts = {
      count,
      minutes,
      price: `${toDecimal(price_usd, 'USD')} USD`,
      until: until?.toString() ?? null,
    }
    const asked = { act: 'gift_cards', user_id: null, facts, reason: '' } as const
    const answer = await needSecondPerson(tx, given, asked)
    if (answer) return answer
    const cards = codes.map((code) => ({
      code_hash: hashCode(app, code),
      batch,
      minutes,
      price_usd,
      valid_until: until,
    }))
    await checkBulk(tx, shellActor(given), 'money')
    await insertGiftCards(tx, cards)
    await writeAudit(tx, {
      staff: shellActor(given),
      act: 'gift_cards_create',
      facts: { batch, count, minutes },
    })
    return undefined
  })
  if (waiting) return waiting
  return { batch, minutes, until: until?.toString() ?? null, codes }
}

function countIn(name: string, given: string | true | undefined, most: number): number {
  const count = Number(given)
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new CommandRefused(`${name} is a number from 1 to ${most}.`)
  return count
}

function isPast({ clock }: App, day: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(day, productDay(clock.now())) < 0
}
