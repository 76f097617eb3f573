import type { UserId } from '../../../core/ids.ts'
import type { Charge } from '../../allowances/index.ts'
import type { WrittenType } from '../entries/message-types.ts'
import type { Writing, WritingFacts } from '../rules.ts'

/** A message that a user asks to send. */
export interface NewMessage {
  readonly sender_id: UserId
  readonly dialog_id: number
  readonly random_id: string
  /** The digest of the whole request. The same random_id with another digest is refused. */
  readonly asked: string
  /** The digest without a key, which messages from before the key have. */
  readonly asked_unkeyed: string
  readonly type: WrittenType
  /** Empty for an image. */
  readonly text: string
  /** The upload that an image carries. */
  readonly media_id: string | null
}

/** The rows about one message that is to be sent, read while its dialog is locked. */
export interface SendingFacts {
  readonly sender_id: UserId
  readonly receiver_id: UserId
  readonly writing: WritingFacts
  /** The id that the message gets. */
  readonly message_id: number
  /** The dialog is not in the view of the sender: for the sender it does not exist. */
  readonly hidden_from_sender: boolean
  readonly hidden_from_receiver: boolean
  /** The message that was sent under this random_id before. */
  readonly earlier: EarlierMessage | null
  /** The texts that the sender wrote here within the last minutes, unmasked, the oldest first. */
  readonly recent: readonly string[]
  /** Digests of a girl's last texts. */
  readonly digests: readonly string[]
  /** The oldest paid messages that wait for an answer of the girl, up to two. */
  readonly unanswered_paid: readonly number[]
  /** The free messages of the day that the sender has not used. */
  readonly free_left: number
}

export interface EarlierMessage {
  readonly message_id: number
  readonly asked: string
  readonly message: string
  readonly create_time: Temporal.Instant
  readonly reward: bigint
}

/** A message that may be written, before its price is taken. */
export interface Candidate {
  readonly sending: NewMessage
  readonly facts: SendingFacts
  /** The text as it is stored, and as it was written where the two differ. */
  readonly text: string
  readonly original: string | null
  readonly digest: string
  /** Of an image: staff decide about it before its receiver sees it. */
  readonly picture_waits: boolean
  /** The paid message for which this message earns a reward. */
  readonly answers: number | null
  readonly charge: Charge
}

/** A message that is paid for. */
export interface Accepted extends Candidate {
  /** The free messages of the day that are left to the sender. */
  readonly free_left: number
  /** The coins that it earned, in units. */
  readonly reward: bigint
}

/** A stored message as its sender is answered. */
export interface SentMessage {
  readonly message_id: number
  readonly message: string
  readonly create_time: Temporal.Instant
  readonly reward: bigint
  /** The message credits that it cost. */
  readonly price: number
  readonly next: NextWriting
}

/** Whether the sender may write again, and at what cost. */
export interface NextWriting {
  readonly writing: Writing
  /** Of a girl: a paid message waits for her answer. */
  readonly is_rewarded: boolean
}
