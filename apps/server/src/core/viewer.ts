import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { UserId } from './ids.ts'

/** The sender of a request, as the server knows it at this moment. */
export type Viewer = Visitor | Guest | Member

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
