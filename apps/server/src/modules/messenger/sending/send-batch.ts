import type { App, Tx } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import { readTogether } from '../../../core/db.ts'
import { setNewest } from '../../../lib/bounded-map.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { maskNeighbours } from '../../../lib/text-mask.ts'
import type { Unread } from '../away/away-queries.ts'
import { reachAway } from '../away/reach-away.ts'
import { chargedCredits, chargeFor } from '../../allowances/index.ts'
import { resendLastChanges } from '../../change-feed/index.ts'
import { setting } from '../../settings/index.ts'
import {
  lockedPictures,
  type Pictures,
  refusalOfPicture,
  sharePictures,
} from '../pictures/pictures.ts'
import { messageById } from '../queries.ts'
import { computeDigest, findWritingRefusal, payer, qualifies, TEXT_DIGESTS } from '../rules.ts'
import { insertMessages } from './message-store.ts'
import { notifySent } from './notify-sent.ts'
import { nextWriting, readNextWritings, takePrices } from './prices.ts'
import { lockedFacts } from './queries.ts'
import type { Accepted, Candidate, NewMessage, SendingFacts, SentMessage } from './sending.ts'

/** The decision of the rows alone: a refusal, or a message that may be written or was written before. */
type Judged = Refusal | Candidate | { readonly repeated: SendingFacts }

const ANNOUNCED_MESSAGES_MAX = 50_000
const REUSED = { path: 'random_id', message: 'This random_id named another message' }

/**
 * Stores messages in one transaction and returns their answers in the same order. A refused message has
 * changed nothing. No two messages may have the same sender or dialog.
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
  const priced = await takePrices(
    tx,
    judged.filter((one): one is Candidate => 'sending' in one),
  )
  const accepted = priced.filter((one): one is Accepted => 'reward' in one)
  const repeated = judged.flatMap((one) => ('repeated' in one ? one.repeated : []))
  const earlierRows = await readTogether(
    tx,
    repeated.map(
      ({ earlier }) =>
        () =>
          messageById(tx, earlier!.message_id),
    ),
  )
  const stored = await insertMessages(tx, accepted)
  await sharePictures(tx, accepted.flatMap(getPicture))
  const nextAfterRepeat = await readNextWritings(tx, repeated)
  await notifySent(tx, accepted, stored)
  followUp(tx, accepted, repeated)
  await publishWritten(tx, accepted)
  await reachAway(tx, accepted.map(getUnread))
  return judged.map((one): SentMessage | Error => {
    if ('repeated' in one) {
      const n = repeated.indexOf(one.repeated)
      const price = earlierRows[n]?.price ?? 0
      return { ...one.repeated.earlier!, price, next: nextAfterRepeat[n]! }
    }
    const outcome = one instanceof Refusal ? one : priced.shift()!
    if (outcome instanceof Refusal) return outcome
    const { message_id } = outcome.facts
    return {
      message_id,
      message: outcome.text,
      create_time: tx.now,
      reward: outcome.reward,
      price: chargedCredits(outcome.charge),
      next: nextWriting(outcome, stored.get(message_id)!),
    }
  })
}

const announcedMessages = perApp(
  'messenger: announced messages',
  'the messages whose events left this process; others are announced again by a repeat',
  () => new Map<number, true>(),
)

/**
 * A repeat may follow a commit whose answer was lost. Then no event of the message has left: both users get their newest
 * changes again. Pages ignore the changes that they have.
 */
function followUp(tx: Tx, accepted: readonly Accepted[], repeated: readonly SendingFacts[]): void {
  const announced = announcedMessages(tx.app)
  tx.afterCommit(async () => {
    for (const { facts } of accepted)
      setNewest(announced, facts.message_id, true, ANNOUNCED_MESSAGES_MAX)
    for (const { earlier, sender_id, receiver_id } of repeated) {
      const { message_id } = earlier!
      if (announced.has(message_id)) continue
      setNewest(announced, message_id, true, ANNOUNCED_MESSAGES_MAX)
      for (const userId of [sender_id, receiver_id]) await resendLastChanges(tx.app, userId)
    }
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
    const isSame = [sending.asked, sending.asked_unkeyed].includes(facts.earlier.asked)
    return isSame ? { repeated: facts } : new Refusal('invalid', { fields: [REUSED] })
  }
  if (facts.hidden_from_sender) return new Refusal('not_found')
  const refusal = findWritingRefusal(facts.writing)
  if (refusal) return new Refusal(refusal)
  const wrong = refusalOfPicture(sending, facts.writing, pictures)
  if (wrong) return wrong
  const charge = chargeFor('message', payer(facts.writing), facts)
  const picture = pictures.get(sending.media_id ?? '')
  const content = picture?.look ?? sending.text
  const digest = computeDigest(keyFor(tx.app.config, TEXT_DIGESTS), content)
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
    ...mask(tx.app, facts.recent, sending.text),
    answers: isAnswer ? paid : null,
    charge,
  }
}

/**
 * A text as it is stored, and its original if the two differ. `recent`: what the sender wrote here just
 * before, because a contact may be split over several messages.
 */
function mask(app: App, recent: readonly string[], written: string) {
  const words = setting(app, 'competitor_words')
  const { text, masked } = maskNeighbours(recent, written, { words })
  return { text, original: masked ? written : null }
}

function getPicture({ sending: { media_id }, facts, picture_waits }: Accepted) {
  const { message_id, receiver_id } = facts
  return media_id === null ? [] : { media_id, message_id, receiver_id, picture_waits }
}

function getUnread({
  sending: { dialog_id },
  facts: { message_id, receiver_id },
}: Accepted): Unread {
  return { dialog_id, message_id, user_id: receiver_id }
}
