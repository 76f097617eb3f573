import type { Tx } from '../../../core/app.ts'
import { readTogether } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { fromDecimal } from '../../../lib/money.ts'
import { Refusal } from '../../../lib/refusal.ts'
import {
  type Charge,
  chargedCredits,
  chargeFor,
  consumeFreeMessages,
  nextMessageCharge,
} from '../../allowances/index.ts'
import { type Movement, transferEach } from '../../ledger/index.ts'
import { setting } from '../../settings/index.ts'
import { decideWriting, payer } from '../rules.ts'
import type { Stored } from './message-store.ts'
import type { Accepted, Candidate, NextWriting, SendingFacts } from './sending.ts'

/**
 * Takes what the messages cost and gives what they earn. One statement takes the free messages of the day,
 * if any may be left. Another statement moves the money. Each statement has its condition, so that no two
 * messages are paid with the same credit. Returns the messages in their order. A refused message has moved
 * nothing.
 */
export async function takePrices(
  tx: Tx,
  candidates: readonly Candidate[],
): Promise<(Accepted | Refusal)[]> {
  const free = candidates.filter(({ charge }) => charge.type === 'free')
  const freeLeft = await consumeFreeMessages(tx, free.map(senderId))
  const charged = candidates.map((one): Candidate => ({ ...one, charge: charge(one, freeLeft) }))
  const movements = charged.map((one) => findMovement(tx, one))
  const errors = await transferEach(
    tx,
    movements.filter((one) => one !== undefined),
  )
  return charged.map((candidate, n): Accepted | Refusal => {
    if (candidate.charge.type === 'refused') return new Refusal(candidate.charge.refusal)
    const movement = movements[n]
    const error = movement && errors.get(movement)
    if (error) return toRefusal(error)
    const reward = movement?.asset === 'coin' ? movement.amount : 0n
    return { ...candidate, reward, free_left: freeLeft.get(senderId(candidate)) ?? 0 }
  })
}

function senderId({ sending }: Candidate): UserId {
  return sending.sender_id
}

/** The charge after the free messages were taken: another server process may have used the last free message. */
function charge(candidate: Candidate, freeLeft: ReadonlyMap<UserId, number>): Charge {
  if (candidate.charge.type !== 'free' || freeLeft.has(senderId(candidate))) return candidate.charge
  return chargeFor('message', payer(candidate.facts.writing), { free_left: 0 })
}

function findMovement(tx: Tx, candidate: Candidate): Movement | undefined {
  const { sending, facts, answers } = candidate
  const { message_id } = facts
  const cause = { kind: 'message', id: message_id }
  const user = { user_id: sending.sender_id }
  const credits = chargedCredits(candidate.charge)
  if (credits > 0)
    return {
      key: `message:${message_id}:price`,
      what: 'message',
      cause,
      asset: 'message',
      amount: BigInt(credits),
      from: user,
      to: { house: 'sales' },
    }
  const reward = answers === null ? 0n : fromDecimal('coin', setting(tx.app, 'message_reward'))
  if (reward === 0n) return undefined
  return {
    key: `message:${message_id}:reward`,
    what: 'message_reward',
    cause,
    asset: 'coin',
    amount: reward,
    from: { house: 'conversion' },
    to: user,
  }
}

function toRefusal(error: Error): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** Whether the sender of a message that was just stored may write again, and at what cost. */
export function nextWriting(
  { facts: { writing, unanswered_paid }, answers, free_left }: Accepted,
  { credits }: Stored,
): NextWriting {
  const charge = chargeFor('message', payer(writing), { free_left, credits })
  return {
    writing: decideWriting({ ...writing, unanswered: writing.unanswered + 1 }, charge),
    is_rewarded: unanswered_paid.length > (answers === null ? 0 : 1),
  }
}

/** The same of senders who repeated a message that was stored before, in their order. */
export function readNextWritings(
  tx: Tx,
  repeated: readonly SendingFacts[],
): Promise<NextWriting[]> {
  return readTogether(
    tx,
    repeated.map(({ sender_id: id, writing, unanswered_paid }) => async () => {
      const charge = await nextMessageCharge(tx.app, tx, { id, ...payer(writing) })
      return { writing: decideWriting(writing, charge), is_rewarded: unanswered_paid.length > 0 }
    }),
  )
}
