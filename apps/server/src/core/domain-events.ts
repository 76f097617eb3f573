import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { UserId } from './ids.ts'
import type { Actor, Staff } from './viewer.ts'

/**
 * Events that a module publishes for other modules. Subscribers run inside the publishing transaction, in
 * the order of modules.ts. So all effects of an event are committed or rolled back together.
 */
export interface DomainEvents {
  /**
   * A guest became a member. The role never changes afterwards. `device` is a keyed hash of the device that
   * registered. A user of the operator has no device.
   */
  registered: { user_id: UserId; role: Role; device?: string }
  /** The identity on a login's sockets ended: log-out, another identity, deletion. */
  logged_out: { user_id: UserId }
  /** A user who had asked to delete the account has logged in. */
  deletion_withdrawn: { user_id: UserId }
  /** An account is closed: what runs ends. Its data stays until the modules erase it, which a hold may prevent. */
  account_deleted: { user_id: UserId }
  /** A guest who stayed away is erased. */
  guest_erased: { user_id: UserId }
  /** The user had Premium until this time, and it was not extended. */
  premium_ended: { user_id: UserId; premium_until: Temporal.Instant }
  /**
   * Notifies the owner of a change to the account's security. `login`: a login on a new device.
   * `factor_on`, `factor_off`: a second factor was added or removed.
   * `guesses`: a login ended after too many wrong passwords.
   */
  security_changed: {
    user_id: UserId
    what:
      | 'password'
      | 'email'
      | 'recovery'
      | 'login'
      | 'factor_on'
      | 'factor_off'
      | 'export'
      | 'guesses'
    /** The readable name of the device, for a login. `unknown` if the device has no name. */
    device?: string
  }
  /** By the signed address of a mail: no more mails about notices. */
  mail_unsubscribed: { user_id: UserId }
  /** The user is banned or suspended from this commit on. It may be published again while the ban stands. */
  banned: { user_id: UserId }
  /** The last sanction of the user has ended. */
  unbanned: { user_id: UserId }
  blocked: { user_id: UserId; blocked_id: UserId }
  unblocked: { user_id: UserId; blocked_id: UserId }
  /** Texts and images were sent into dialogs, and paid if they have a price. Likes and calls are not included. */
  messages_written: { messages: readonly WrittenMessage[] }
  /** A user became a favourite of another user, or stopped being a favourite. */
  favourite_changed: { owner_id: UserId; user_id: UserId; on: boolean }
  /** Something changed that a member's rights or public fields depend on (premium, verification, avatar, nick, switches). */
  member_updated: { user_id: UserId }
  /** A picture was uploaded by the storage's own call; the module that uses the product takes it over. */
  picture_uploaded: { media_id: string; owner_id: UserId; product: string; status: string }
  /** Staff decided on an upload. `removed` uploads are hidden from every user. */
  media_reviewed: {
    media_id: string
    owner_id: UserId
    status: 'ready' | 'removed'
    reason: string | null
    /** The text that the owner reads about the verdict; empty without one. */
    comment: string
    by: string
    /** The author of the verdict. Null: it follows from the decision of a report or the end of a statement. */
    actor: Actor | null
  }
  /** A girl hides from other countries than before, or a member connected from another country. */
  visibility_changed: { user_id: UserId }
  /** Something was added to a balance: `amount` in the asset's unit, and `key` of the movement. `by`: whose act it was. */
  balance_added: {
    user_id: UserId
    asset: 'diamond' | 'message' | 'coin'
    amount: bigint
    reason: 'grant' | 'referral'
    key: string
    by: 'operator' | 'user'
  }
  /**
   * A purchase was paid and credited. `value`: minutes or messages without the bonus. `price_usd`: cents of the operator's
   * book. `instrument`: keyed hash of the card or wallet, where the provider names one. A gift card is a purchase too.
   */
  purchase_paid: {
    order_id: number
    user_id: UserId
    pack: 'minutes' | 'messages'
    value: number
    price_usd: bigint
    method: string
    instrument: string | null
  }
  /** Of a paid purchase, `returned_usd` of `price_usd` has been given back by now. */
  purchase_returned: {
    order_id: number
    user_id: UserId
    kind: 'refunded' | 'charged_back'
    price_usd: bigint
    returned_usd: bigint
  }
  /** A girl earned coins from a guy: with a call, a gift or an answer. `units` of coins. */
  girl_earned: { girl_id: UserId; guy_id: UserId; units: bigint }
  /** A guy paid a gift. `session_id`: in or after this call of the two. */
  gift_given: { giver_id: UserId; girl_id: UserId; session_id: number | undefined }
  /** Both accepted: the call opens in this transaction. `free_start`: the offer promised free seconds. */
  pair_accepted: {
    pair_id: string
    kind: 'random' | 'direct'
    guy_id: UserId
    girl_id: UserId
    guy_from_search: boolean
    girl_from_search: boolean
    free_start: boolean
  }
  /** The commit of `pair_accepted` had no answer, and the row of the offer shows that it happened: the call is open. */
  pair_accepted_found: { guy_id: UserId; girl_id: UserId }
  /** `recovered`: the call was found open in its row, after a start or a commit that had no answer. */
  call_opened: {
    session_id: number
    guy_id: UserId
    girl_id: UserId
    state: 'public' | 'private'
    recovered: boolean
  }
  /** A girl let offers pass, or was not before her camera. `paused_until`: the absences of the hour keep her out of search. */
  absence_recorded: {
    user_id: UserId
    kind: 'missed_offers' | 'no_face'
    /** The call in which her device saw no face. Null in a search. */
    session_id: number | null
    paused_until: Temporal.Instant | null
  }
  /** Staff took the statement of an absence back: the absence of this moment was none. */
  absence_reversed: { user_id: UserId; at: Temporal.Instant }
  /** An automatic check found something that staff look at. `key`: of the fact, which is found once. */
  finding_made: {
    user_id: UserId
    kind: 'contradiction' | 'never_reported' | 'referral'
    key: string
    other_id?: UserId
    session_id?: number
  }
  /** Staff found that an inviter and an invited user are two people, although an automatic check took them for one. */
  invitation_cleared: {
    inviter_id: UserId
    invited_id: UserId
    staff: Pick<Staff, 'id' | 'address'>
    comment: string
  }
  /** A running call became private. */
  call_became_private: { guy_id: UserId; girl_id: UserId }
  /** An invitation rang and was not answered. `caller`: the side that called. */
  call_missed: { pair_id: string; guy_id: UserId; girl_id: UserId; caller: 'guy' | 'girl' }
  /** `connected`: the two were connected at some time. `state`: of the call at its end. */
  call_closed: {
    session_id: number
    guy_id: UserId
    girl_id: UserId
    kind: 'random' | 'direct'
    state: 'public' | 'private'
    reason: string
    connected: boolean
    seconds: number
    paid_seconds: number
    /** Sides that go back into search at once, if their page is still connected. */
    requeue: readonly ('guy' | 'girl')[]
    /** The girl asked for a break after this call. */
    begin_break: boolean
    /**
     * The call was found closed after the answer of its commit was lost. The subscribers have done their
     * durable part in that commit. They now do what they do after a commit.
     */
    recovered: boolean
  }
}

export interface WrittenMessage {
  readonly dialog_id: number
  readonly message_id: number
  readonly sender_id: UserId
  readonly receiver_id: UserId
}

export type DomainEventName = keyof DomainEvents
