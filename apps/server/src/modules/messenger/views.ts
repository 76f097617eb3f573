import type { CanWrite, Dialog, Message, MessageType, UserInterlocutor } from '@duet/protocol'
import { otherRole, type Role, wireRole } from '@duet/protocol/kernel/roles.ts'
import type { AppContext } from '../../core/app.ts'
import { type Db, readTogether } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { wireTime } from '../../lib/clock.ts'
import { fromDecimal, toWire } from '../../lib/money.ts'
import { permission } from '../../lib/refusal.ts'
import { nextMessageCharge } from '../allowances/index.ts'
import { cachedUser, interlocutors, isPremium } from '../identity/index.ts'
import { dialogPictures } from '../media/index.ts'
import { setting } from '../settings/index.ts'
import {
  type DialogRow,
  dialogsWithPaid,
  messageById,
  type MessageRow,
  messagesPage,
} from './queries.ts'
import { CONTENTS, type ShownPictures } from './entries/message-types.ts'
import { decideWriting, type Writing } from './rules.ts'
import { writingFacts } from './rights/writing-facts.ts'

/** Messages of one dialog as one of the two sees them. */
export async function messageViews(
  context: AppContext,
  db: Db,
  rows: readonly MessageRow[],
  view: { readonly viewerId: UserId; readonly cleaned_to: number },
): Promise<Message[]> {
  const pictures = await readPictures(context, db, view.viewerId, rows)
  const now = context.clock.now()
  return rows.map((row) => messageView(row, { ...view, now, pictures }))
}

function readPictures(
  context: AppContext,
  db: Db,
  viewerId: UserId,
  rows: readonly MessageRow[],
): Promise<ShownPictures> {
  const carrying = rows.filter(({ removed_at }) => removed_at === null)
  return dialogPictures(
    context,
    db,
    viewerId,
    carrying.flatMap(({ media_id }) => media_id ?? []),
  )
}

export interface MessageViewing {
  readonly viewerId: UserId
  readonly cleaned_to: number
  readonly now: Temporal.Instant
  readonly pictures: ShownPictures
}

/** A message that is removed, vanished or cleaned has no content, and so has a message whose picture staff removed. */
export function messageView(row: MessageRow, viewing: MessageViewing): Message {
  const isOwn = row.sender_id === viewing.viewerId
  const type = row.type as MessageType
  const content = isInView(row, viewing) ? CONTENTS[type](row, viewing.pictures) : undefined
  return {
    message_id: row.id,
    dialog_id: row.dialog_id,
    sender_id: row.sender_id,
    type,
    message: content ? row.text : '',
    read_status: row.read_at === null ? 0 : 1,
    create_time: wireTime(row.create_time),
    ...(isOwn && row.random_id !== null && { random_id: row.random_id }),
    ...(isOwn && row.reward > 0n && { reward: toWire('coin', row.reward) }),
    ...(isOwn && row.price > 0 && { price: row.price }),
    ...(content && row.vanish_at !== null && { vanish_at: wireTime(row.vanish_at) }),
    ...(content ?? { removed: true }),
  } as Message
}

function isInView(row: MessageRow, { cleaned_to, now }: MessageViewing): boolean {
  return row.removed_at === null && row.id > cleaned_to && !hasVanished(row, now)
}

/** The text is deleted a moment later; it is in no answer from this time on. */
function hasVanished({ vanish_at }: MessageRow, now: Temporal.Instant): boolean {
  return vanish_at !== null && Temporal.Instant.compare(vanish_at, now) <= 0
}

export function canWriteView(context: AppContext, writing: Writing, isRewarded: boolean): CanWrite {
  if (writing.type === 'refused') return { ...permission(writing.refusal), cost: 'none' }
  const reward = fromDecimal('coin', setting(context, 'message_reward'))
  const hasReward = writing.type === 'none' && isRewarded && reward > 0n
  return {
    allowed: true,
    cost: writing.type,
    ...(hasReward && { reward: toWire('coin', reward) }),
  }
}

/** These dialogs as the viewer sees them, in their order. */
export async function dialogViews(
  context: AppContext,
  db: Db,
  viewerId: UserId,
  rows: readonly DialogRow[],
): Promise<Dialog[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ interlocutor_id }) => interlocutor_id)
  const now = context.clock.now()
  const viewer = await cachedUser(context, db, viewerId)
  const role = viewer?.role === 'girl' ? 'girl' : 'guy'
  const is_premium = viewer !== undefined && isPremium(viewer, now)
  const paidSince = now.subtract({ hours: setting(context, 'reward_window') })
  const [people, messages, charge, withPaid] = await readTogether(db, [
    () => interlocutors(context, db, viewerId, ids),
    () => Promise.all(rows.map((row) => lastMessage(db, row, now))),
    () => nextMessageCharge(context, db, { id: viewerId, role, is_premium }),
    () =>
      role === 'girl'
        ? dialogsWithPaid(
            db,
            rows.map(({ dialog_id }) => dialog_id),
            paidSince,
          )
        : Promise.resolve(new Set<number>()),
  ])
  const pictures = await readPictures(
    context,
    db,
    viewerId,
    messages.filter((one) => one !== undefined),
  )
  const peopleById = new Map(people.map((one) => [one.id, one]))
  return rows.map((row, at): Dialog => {
    const { dialog_id, interlocutor_id, cleaned_to } = row
    const facts = writingFacts(context, row, now)
    const last = messages[at]
    return {
      id: dialog_id,
      dialog_id,
      activity_id: row.activity_id,
      type: 'common',
      interlocutor: peopleById.get(interlocutor_id) ?? goneUser(interlocutor_id, role),
      last_message: last ? messageView(last, { viewerId, cleaned_to, now, pictures }) : null,
      count_new_messages: row.unread,
      can_write: canWriteView(context, decideWriting(facts, charge), withPaid.has(dialog_id)),
    }
  })
}

/** The newest message of the view that is not removed: `last_message_id` also counts removed messages. */
async function lastMessage(
  db: Db,
  row: DialogRow,
  now: Temporal.Instant,
): Promise<MessageRow | undefined> {
  const { last_message_id, cleaned_to } = row
  if (last_message_id === null || last_message_id <= cleaned_to) return undefined
  const last = await messageById(db, last_message_id)
  if (last && last.removed_at === null && !hasVanished(last, now)) return last
  const [shown] = await messagesPage(db, row, { limit: 1, now })
  return shown
}

/** A deleted user, whose dialogs stay with the interlocutor. */
function goneUser(id: UserId, viewerRole: Role): UserInterlocutor {
  return {
    id,
    ref_code: null,
    nick: '',
    role: wireRole(otherRole(viewerRole)),
    avatar: null,
    locale: 'en',
    is_premium: false,
    is_favorite: false,
    status: 'offline',
    sub_status: null,
  }
}
