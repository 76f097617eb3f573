import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { AppContext } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { affordable } from '../ledger/index.ts'
import { freeMessagesLeft } from './free-messages.ts'

/** How one kind of thing is paid. Users of the other role than `payer` pay nothing. */
interface Tariff {
  readonly payer: Role
  /** In message credits, if no free use of the day is left. */
  readonly credits: number
  /** Without Premium only the free uses of the day are possible. */
  readonly credits_need_premium: boolean
}

const TARIFFS = {
  message: { payer: 'guy', credits: 1, credits_need_premium: true },
} as const satisfies Record<string, Tariff>

export type PaidThing = keyof typeof TARIFFS

export interface Payer {
  readonly role: Role
  readonly is_premium: boolean
}

/** The means by which a user can pay. */
export interface Funds {
  /** Things of this kind that are free for the user today. */
  readonly free_left: number
  /** If undefined, the credits have not been read, and the ledger decides whether they suffice. */
  readonly credits?: bigint | number | undefined
}

/** The cost of one thing for its user. */
export type Charge =
  | { readonly type: 'none' }
  | { readonly type: 'free' }
  | { readonly type: 'credit'; readonly credits: number }
  | { readonly type: 'refused'; readonly refusal: 'message_limit' | 'no_balance' }

/** Decides who pays for a thing, and with what: the free uses of the day come first, then credits. */
export function chargeFor(
  thing: PaidThing,
  { role, is_premium }: Payer,
  { free_left, credits }: Funds,
): Charge {
  const tariff: Tariff = TARIFFS[thing]
  if (role !== tariff.payer) return { type: 'none' }
  if (free_left > 0) return { type: 'free' }
  if (tariff.credits_need_premium && !is_premium)
    return { type: 'refused', refusal: 'message_limit' }
  if (credits !== undefined && credits < tariff.credits)
    return { type: 'refused', refusal: 'no_balance' }
  return { type: 'credit', credits: tariff.credits }
}

/** The charge of the user's next message. The credits are read only if they decide it. */
export async function nextMessageCharge(
  context: AppContext,
  db: Db,
  { id, ...payer }: Payer & { readonly id: UserId },
): Promise<Charge> {
  if (payer.role !== TARIFFS.message.payer) return { type: 'none' }
  const freeLeft = await freeMessagesLeft(context, db, id)
  const charge = chargeFor('message', payer, { free_left: freeLeft })
  if (charge.type !== 'credit') return charge
  const credits = await affordable(db, id, 'message')
  return chargeFor('message', payer, { free_left: freeLeft, credits })
}

/** The message credits that a charge takes. */
export function chargedCredits(charge: Charge): number {
  return charge.type === 'credit' ? charge.credits : 0
}
