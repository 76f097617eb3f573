import type { Role } from '@duet/protocol/kernel/roles.ts'

/** The events of a date, and the commands that a decision of `date-rules.ts` contains. */

export type DateEvent =
  /** By the girl. */
  | { type: 'accepted' }
  | { type: 'declined' }
  | { type: 'cancelled'; side: Role }
  /** This side is there. `is_other_ready`: the other side is connected and in no call. */
  | { type: 'pressed'; side: Role; is_other_ready: boolean }
  /** A block, a ban or a deletion separates the two, or she hides from him. `side` caused it; null: neither, so it costs nothing. */
  | { type: 'separated'; side: Role | null }
  | { type: 'call_opened'; session_id: number }
  /** `is_lost`: the two never saw each other, and neither ended the call. */
  | { type: 'call_closed'; is_lost: boolean }
  /** The answer to `hold_again`. Undefined: the money is not there any more. */
  | { type: 'held_again'; hold_id: number | null | undefined }
  | { type: 'time_came' }
  /** The server started: while it was down the two could not press. */
  | { type: 'server_started' }

/** The news of a date for its two parties. */
export type DateNews =
  | 'requested'
  | 'accepted'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'he_missed'
  | 'she_missed'
  | 'again'

export type DateCommand =
  | { type: 'refuse'; name: 'pair_over' }
  /** Gives the whole hold back. */
  | { type: 'release_hold' }
  /** `kept_units` of the hold go to sales, `earned_units` to her, and the rest goes back. */
  | { type: 'keep_part' }
  /** The private call opens with the hold. The answer is `call_opened`. */
  | { type: 'open_call' }
  /** The hold of the lost call has gone back, and stands again for the next press. The answer is `held_again`. */
  | { type: 'hold_again' }
  /** Both pages get the date. `news` is a notice for both, or with `to` for this side. */
  | { type: 'announce'; news?: DateNews; to?: Role }
  /** The other side is there and waits. */
  | { type: 'call_in'; to: Role }
  | { type: 'remind'; before: 'day' | 'soon' }
