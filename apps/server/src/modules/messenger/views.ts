import type { CanWrite, Dialog, Message, MessageType, UserInterlocutor } from '@duet/protocol'
import { otherRole, type Role, wireRole } from '@duet/protocol/kernel/roles.ts'
import type { AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { wireTime } from '../../lib/clock.ts'
import { fromDecimal, toWire } from '../../lib/money.ts'
import { permission } from '../../lib/refusal.ts'
import { setting } from '../settings/index.ts'
import type { DialogRow, MessageRow } from './queries.ts'
import { CONTENTS, type GiftFacts, type ShownPictures } from './entries/message-types.ts'
import type { Writing } from './rules.ts'

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
    ...earnedField(row, isOwn),
    ...(isOwn && row.price > 0 && { price: row.price }),
    ...(content && row.vanish_at !== null && { vanish_at: wireTime(row.vanish_at) }),
    ...(content ?? { removed: true }),
  } as Message
}

/** Coins: a girl earns with her own message, and with a gift that she received. */
function earnedField(row: MessageRow, isOwn: boolean): { reward?: string } {
  if (row.type === 'gift') return isOwn ? {} : { reward: (row.entry as GiftFacts).reward }
  return isOwn && row.reward > 0n ? { reward: toWire('coin', row.reward) } : {}
}

function isInView(row: MessageRow, { cleaned_to, now }: MessageViewing): boolean {
  return row.removed_at === null && row.id > cleaned_to && !hasVanished(row, now)
}

/** The text is deleted a moment later; it is in no answer from this time on. */
export function hasVanished({ vanish_at }: MessageRow, now: Temporal.Instant): boolean {
  return vanish_at !== null && Temporal.Instant.compare(vanish_at, now) <= 0
}

export function canWriteView(context: AppContext, writing: Writing, isRewarded: boolean): CanWrite {
  if (writing.type === 'refused') return { ...permission(writing.refusal), cost: 'none' }
  const reward = fromDecimal('coin', setting(context, 'message_reward'))
  const hasReward = writing.type === 'none' && isRewarded && reward > 0n
  return {
    allowed: true,
    cost: writing.type,
    ...(writing.type === 'credit' && { credits: writing.credits }),
    ...(hasReward && { reward: toWire('coin', reward) }),
  }
}

interface DialogViewing extends Omit<MessageViewing, 'cleaned_to'> {
  readonly viewerRole: Role
  readonly interlocutor: UserInterlocutor | undefined
  readonly last: MessageRow | undefined
  readonly can_write: CanWrite
}

export function dialogView(
  row: DialogRow,
  { viewerRole, interlocutor, last, can_write, ...viewing }: DialogViewing,
): Dialog {
  const { dialog_id, interlocutor_id, cleaned_to } = row
  return {
    id: dialog_id,
    dialog_id,
    activity_id: row.activity_id,
    type: 'common',
    interlocutor: interlocutor ?? goneUser(interlocutor_id, viewerRole),
    last_message: last ? messageView(last, { ...viewing, cleaned_to }) : null,
    count_new_messages: row.unread,
    can_write,
  }
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
