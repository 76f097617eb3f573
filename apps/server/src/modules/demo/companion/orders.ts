import type { Role } from '@duet/protocol/kernel/roles.ts'

/** An order of the server to the process of the companions. */
export type CompanionOrder =
  | {
      readonly type: 'play'
      readonly user_id: number
      /** The name of the demo user, of the lines and of the picture. */
      readonly name: string
      readonly role: Role
      /** The login and the tab by which the companion connects. */
      readonly token: string
      readonly tab_id: string
      /** The address of the server, and the origin that its sockets accept. */
      readonly origin: string
      readonly page_origin: string
    }
  | { readonly type: 'leave'; readonly user_id: number; readonly tab_id: string }

/** The companion is not connected any more. */
export interface CompanionReport {
  readonly type: 'over'
  readonly user_id: number
  readonly tab_id: string
  /** Why, for the log, where the companion could not go on. */
  readonly problem?: string
}
