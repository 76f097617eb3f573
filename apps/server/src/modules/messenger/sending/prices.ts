import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { fromDecimal } from '../../../lib/money.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { consumeFreeMessages } from '../../allowances/index.ts'
import { type Movement, transferEach } from '../../ledger/index.ts'
import { setting } from '../../settings/index.ts'
import { costFor, type MessageCost } from '../rules.ts'
import type { Accepted, Candidate } from './sending.ts'

export interface Prices {
  /** The messages in their order; a refused one has moved nothing. */
  readonly priced: (Accepted | Refusal)[]
  /** Free messages that are left today, of the guys among the senders. */
  readonly free_left: ReadonlyMap<UserId, number>
}

/**
 * Takes what the messages cost and gives what they earn: one statement for the free messages of the day, where some may be
 * left, and one of the ledger. Each has its condition, so that no two messages are paid with the same one.
 */
export async function takePrices(tx: Tx, candidates: readonly Candidate[]): Promise<Prices> {
  const guyIds = candidates.filter(isOfGuy).map(senderOf)
  const mayBeFree = candidates.filter(({ facts }) => facts.may_be_free)
  const freeLeft = await consumeFreeMessages(tx, mayBeFree.map(senderOf))
  const costs = candidates.map((one) => costOf(one, freeLeft))
  const movements = candidates.map((one, n) => movementOf(tx, one, costs[n]!))
  const errors = await transferEach(
    tx,
    movements.filter((one) => one !== undefined),
  )
  const priced = candidates.map((candidate, n): Accepted | Refusal => {
    const cost = costs[n]!
    if (cost instanceof Refusal) return cost
    const movement = movements[n]
    const error = movement && errors.get(movement)
    if (error) return refusalOf(error)
    return { ...candidate, cost, reward: movement?.asset === 'coin' ? movement.amount : 0n }
  })
  return { priced, free_left: new Map(guyIds.map((id) => [id, freeLeft.get(id) ?? 0])) }
}

function senderOf({ sending }: Candidate): UserId {
  return sending.sender_id
}

function isOfGuy({ facts }: Candidate): boolean {
  return facts.writing.writer === 'guy'
}

function costOf(
  { sending, facts }: Candidate,
  freeLeft: ReadonlyMap<UserId, number>,
): MessageCost | Refusal {
  if (facts.writing.writer === 'girl') return 'none'
  if (freeLeft.has(sending.sender_id)) return 'free'
  // The ledger decides whether there is a credit.
  const writing = costFor({ is_premium: facts.writing.is_premium, free_left: 0, credits: 1 })
  return 'refusal' in writing ? new Refusal(writing.refusal) : writing.cost
}

function movementOf(
  tx: Tx,
  { sending, facts, answers }: Candidate,
  cost: MessageCost | Refusal,
): Movement | undefined {
  const { message_id } = facts
  const cause = { kind: 'message', id: message_id }
  const user = { user_id: sending.sender_id }
  if (cost === 'credit')
    return {
      key: `message:${message_id}:price`,
      what: 'message',
      cause,
      asset: 'message',
      amount: 1n,
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

function refusalOf(error: Error): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
