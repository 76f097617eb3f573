import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { StaffRole } from '@duet/protocol/kernel/who.ts'
import type { UserId } from './ids.ts'

/** A user or visitor who sends a request, as the server knows this person at this moment. */
export type Viewer = Visitor | Guest | Member

/** A member of staff in the back office. Staff are no users: their ids are their own. */
export interface Staff {
  readonly kind: 'staff'
  readonly id: number
  readonly session_id: number
  readonly staff_role: StaffRole
  readonly email: string
  /** The network address of the request. */
  readonly address: string
  /** Until then the last proof of the own factors counts for acts on money and documents. */
  readonly fresh_until: Temporal.Instant
}

/**
 * The author of an act of staff: either a member of staff with the address of the request (null where an act follows from another
 * one, which has it), or the name of a person at the operator's shell.
 */
export type Actor =
  | { readonly id: number; readonly address: string | null }
  | { readonly operator: string }

/** The sender of any request. */
export type Sender = Viewer | Staff

export interface Visitor {
  readonly kind: 'none'
}

export interface Guest {
  readonly kind: 'guest'
  readonly id: UserId
  /** A guest's row is written at the first stored action. */
  readonly has_row: boolean
  /** The role that the guest has chosen and not registered for yet. */
  readonly declared_role: Role | null
  readonly locale: string
  readonly age_confirmed: boolean
}

export interface Member {
  readonly kind: 'member'
  readonly id: UserId
  readonly login_id: number
  readonly nick: string
  readonly role: Role
  readonly premium: boolean
  readonly verified: boolean
  readonly banned: boolean
  readonly locale: string
  /** The country of the connection at the last AUTH; null: unknown. */
  readonly country: string | null
  readonly region: string | null
  readonly age_confirmed: boolean
}
