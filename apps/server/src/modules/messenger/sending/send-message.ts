import { createHash, createHmac } from 'node:crypto'
import type { Ack, Input } from '@duet/protocol'
import { createSerialQueue, type SerialQueue } from '@duet/state-machine/serial-queue.ts'
import type { App } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { setNewest } from '../../../lib/bounded-map.ts'
import { wireTime } from '../../../lib/clock.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { toWire } from '../../../lib/money.ts'
import { refuse } from '../../../lib/refusal.ts'
import { userText } from '../../../lib/texts/user-text.ts'
import {
  type GroupCommit,
  groupCommit,
  Overloaded,
} from '../../../platform/database/group-commit.ts'
import { setting } from '../../settings/index.ts'
import { canWriteView } from '../views.ts'
import { TEXT_DIGESTS } from '../rules.ts'
import { readPair } from './queries.ts'
import { sendBatch } from './send-batch.ts'
import type { NewMessage, SentMessage } from './sending.ts'

const BATCH_MAX = 200
const QUEUED_MAX = 10_000
const PAIRS_MAX = 100_000
/** Longer than a batch takes, unless it waits for a lock. */
const SECOND_BATCH_AFTER_MS = 100

const batches = perApp<GroupCommit<NewMessage, SentMessage>>(
  'messenger: group commit',
  'messages that wait for the next transaction; their senders get an error and repeat them',
  (app) =>
    groupCommit({
      max_batch: BATCH_MAX,
      max_queue: QUEUED_MAX,
      second_flush_after_ms: SECOND_BATCH_AFTER_MS,
      flush: (sendings) => sendBatch(app, sendings),
    }),
)

/** A batch has at most one message per sender and per dialog, because its statements decide from the stored rows. */
const queues = perApp<Record<'senders' | 'dialogs', SerialQueue<number>>>(
  'messenger: order of messages',
  'messages behind a message of the same sender or dialog. Their senders get an error and repeat them',
  () => ({ senders: createSerialQueue(), dialogs: createSerialQueue() }),
)

/** Writes into a dialog. The same random_id again returns the first answer and changes nothing. */
export async function sendMessage(
  app: App,
  viewer: Pick<Member, 'id'>,
  input: Input<'MESSAGE'>,
): Promise<Ack<'MESSAGE'>> {
  const sending = getSending(app, viewer.id, input)
  // A stranger must not wait in the queue of the two.
  if (!(await isParty(app, sending))) refuse('not_found')
  const { senders, dialogs } = queues(app)
  try {
    // Each message waits first in the queue of its sender and then in that of its dialog: no two wait for each other.
    const sent = await senders.runExclusive(sending.sender_id, () =>
      dialogs.runExclusive(sending.dialog_id, () => batches(app).submit(sending)),
    )
    return getAnswer(app, sending, sent)
  } catch (error) {
    if (error instanceof Overloaded) refuse('too_many')
    throw error
  }
}

const pairs = perApp(
  'messenger: pairs of dialogs',
  'the two users of a dialog, who never change; read again from its row',
  () => new Map<number, readonly UserId[]>(),
)

async function isParty(app: App, { dialog_id, sender_id }: NewMessage): Promise<boolean> {
  const known = pairs(app)
  const pair = known.get(dialog_id) ?? (await readPair(app.db, dialog_id))
  if (pair) setNewest(known, dialog_id, pair, PAIRS_MAX)
  return pair?.includes(sender_id) === true
}

function getAnswer(
  app: App,
  { random_id }: NewMessage,
  { message_id, message, create_time, reward, price, next }: SentMessage,
): Ack<'MESSAGE'> {
  return {
    message_id,
    random_id,
    message,
    create_time: wireTime(create_time),
    ...(reward > 0n && { reward: toWire('coin', reward) }),
    ...(price > 0 && { price }),
    can_write: canWriteView(app, next.writing, next.is_rewarded),
  }
}

function getSending(
  app: App,
  sender_id: UserId,
  { dialogId, message, random_id, type, media_id }: Input<'MESSAGE'>,
): NewMessage {
  const sending = { sender_id, dialog_id: dialogId, random_id }
  if (type === 'image') {
    if (message !== '') refuseField('message', 'An image has no text')
    if (media_id === undefined) refuseField('media_id', 'An image has an upload')
    return {
      ...sending,
      ...digests(app, [dialogId, type, media_id]),
      type,
      text: '',
      media_id,
    }
  }
  if (type !== 'text') refuse('type_unsupported')
  if (media_id !== undefined) refuseField('media_id', 'A text carries no upload')
  const charactersMax = setting(app, 'message_chars')
  if ([...message.normalize('NFC')].length > charactersMax)
    refuseField('message', `At most ${charactersMax} characters`)
  const text = userText(message) ?? refuseField('message', 'A message has a text')
  return {
    ...sending,
    ...digests(app, [dialogId, type, message]),
    type,
    text,
    media_id: null,
  }
}

/** Without the key a short text could be found from its digest by trying. */
function digests({ config }: App, asked: readonly unknown[]) {
  const text = JSON.stringify(asked)
  return {
    asked: createHmac('sha256', keyFor(config, TEXT_DIGESTS)).update(text).digest('hex'),
    asked_unkeyed: createHash('sha256').update(text).digest('hex'),
  }
}

function refuseField(path: string, message: string): never {
  refuse('invalid', { fields: [{ path, message }] })
}
