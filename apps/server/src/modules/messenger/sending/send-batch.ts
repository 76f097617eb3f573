import type { App, Tx } from '../../../core/app.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Unread } from '../away/away-queries.ts'
import { reachAway } from '../away/reach-away.ts'
import { messagePrices } from '../queries.ts'
import { mayWrite, priceOf, qualifies } from '../rules.ts'
import { digestOf, maskMessage } from './masking.ts'
import { insertMessages } from './message-store.ts'
import { lockedPictures, type Pictures, refusalOfPicture, sharePictures } from './pictures.ts'
import { nextWritings } from './next-writing.ts'
import { notifySent } from './notify-sent.ts'
import { takePrices } from './prices.ts'
import { lockedFacts } from './sending-facts.ts'
import type { Accepted, Candidate, NewMessage, SendingFacts, SentMessage } from './sending.ts'

/** The decision of the rows alone: a refusal, or a message that may be written or was written before. */
type Judged = Refusal | Candidate | { readonly repeated: SendingFacts }

const REUSED = { path: 'random_id', message: 'This random_id named another message' }

/**
 * Stores messages in one transaction and returns the answer of each, in their order: one that is refused has changed
 * nothing. No two may be of one sender or in one dialog.
 */
export function sendBatch(
  app: App,
  sendings: readonly NewMessage[],
): Promise<(SentMessage | Error)[]> {
  return app.transact((tx) => storeBatch(tx, sendings))
}

async function storeBatch(
  tx: Tx,
  sendings: readonly NewMessage[],
): Promise<(SentMessage | Error)[]> {
  const facts = await lockedFacts(tx, sendings)
  const pictures = await lockedPictures(tx, sendings)
  const judged = sendings.map((sending, n) => judge(tx, sending, { facts: facts[n], pictures }))
  const { priced, free_left } = await takePrices(
    tx,
    judged.filter((one): one is Candidate => 'sending' in one),
  )
  const accepted = priced.filter((one): one is Accepted => 'cost' in one)
  const earlierPrices = await messagePrices(
    tx,
    judged.flatMap((one) => ('repeated' in one ? one.repeated.earlier!.message_id : [])),
  )
  const stored = await insertMessages(tx, accepted)
  await sharePictures(tx, accepted)
  const nextOf = await nextWritings(
    tx,
    facts.filter((one) => one !== undefined),
    { accepted, free_left, stored },
  )
  await notifySent(tx, accepted, stored)
  await publishWritten(tx, accepted)
  await reachAway(tx, accepted.map(unreadOf))
  return judged.map((one): SentMessage | Error => {
    if ('repeated' in one) {
      const earlier = one.repeated.earlier!
      const price = earlierPrices.get(earlier.message_id) ?? 0
      return { ...earlier, price, next: nextOf(one.repeated) }
    }
    const outcome = one instanceof Refusal ? one : priced.shift()!
    if (outcome instanceof Refusal) return outcome
    const { facts: of, text: message, reward, cost } = outcome
    const price = priceOf(cost)
    const sent = { message_id: of.message_id, message, create_time: tx.now, reward, price }
    return { ...sent, next: nextOf(of) }
  })
}

async function publishWritten(tx: Tx, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return
  const messages = accepted.map(({ sending: { dialog_id, sender_id }, facts }) => ({
    dialog_id,
    message_id: facts.message_id,
    sender_id,
    receiver_id: facts.receiver_id,
  }))
  await tx.publish('messages_written', { messages })
}

function judge(
  tx: Tx,
  sending: NewMessage,
  { facts, pictures }: { facts: SendingFacts | undefined; pictures: Pictures },
): Judged {
  if (!facts) return new Refusal('not_found')
  if (facts.earlier) {
    const isSame = facts.earlier.asked === sending.asked
    return isSame ? { repeated: facts } : new Refusal('invalid', { fields: [REUSED] })
  }
  if (facts.hidden_from_sender) return new Refusal('not_found')
  const refusal = mayWrite(facts.writing)
  if (refusal) return new Refusal(refusal)
  const wrong = refusalOfPicture(sending, facts.writing, pictures)
  if (wrong) return wrong
  const picture = pictures.get(sending.media_id ?? '')
  const content = picture?.look ?? sending.text
  const digest = digestOf(content)
  const [paid] = facts.unanswered_paid
  const picture_waits = picture?.status === 'pending'
  // A picture that waits may be refused: it earns nothing.
  const isAnswer =
    paid !== undefined && !picture_waits && qualifies(content, facts.digests.includes(digest))
  return {
    sending,
    facts,
    digest,
    picture_waits,
    ...maskMessage(tx.app, facts.recent, sending.text),
    answers: isAnswer ? paid : null,
  }
}

function unreadOf({
  sending: { dialog_id },
  facts: { message_id, receiver_id },
}: Accepted): Unread {
  return { dialog_id, message_id, user_id: receiver_id }
}
