import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { UserId } from './ids.ts'

/**
 * Facts: what one module did that others care about. They are heard inside the transaction that caused them,
 * in the order of modules.ts, so what they lead to is committed or lost together.
 */
export interface DomainEvents {
  /** A guest became a member; the role is fixed from here on. */
  registered: { user_id: UserId; role: Role }
  /** The identity on a login's sockets ended: log-out, another identity, deletion. */
  logged_out: { user_id: UserId }
  account_deleted: { user_id: UserId }
  banned: { user_id: UserId }
  blocked: { user_id: UserId; blocked_id: UserId }
  unblocked: { user_id: UserId; blocked_id: UserId }
  /** Something that a viewer's rights or face to others depend on changed (premium, verification, avatar, nick, switches). */
  member_updated: { user_id: UserId }
  /** The operator wants this picture as somebody's avatar, approved: a file's path, or `demo` for one of the cast's portraits. */
  avatar_requested: { user_id: UserId; source: string }
  /** Minutes were added by purchase or grant. */
  balance_added: { user_id: UserId; asset: 'diamond' | 'message' | 'coin' }
  /** Both said yes: the call opens in this transaction. `free_start`: the offer promised free seconds. */
  pair_accepted: {
    pair_id: string
    kind: 'random' | 'direct'
    guy_id: UserId
    girl_id: UserId
    guy_from_search: boolean
    girl_from_search: boolean
    free_start: boolean
  }
  /** `recovered`: the call was open when the server came back. */
  call_opened: {
    session_id: number
    guy_id: UserId
    girl_id: UserId
    state: 'public' | 'private'
    recovered: boolean
  }
  /** `connected`: both had seen each other. */
  call_closed: {
    session_id: number
    guy_id: UserId
    girl_id: UserId
    reason: string
    connected: boolean
    seconds: number
    paid_seconds: number
    /** Sides that go back into search at once, if their page is still connected. */
    requeue: readonly ('guy' | 'girl')[]
    /** The girl asked for a break after this call. */
    begin_break: boolean
  }
  /** She wants a break when her call ends, or no longer. */
  break_requested: { user_id: UserId; on: boolean }
}
export type DomainEventName = keyof DomainEvents
