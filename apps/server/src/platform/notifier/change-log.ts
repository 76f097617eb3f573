import type { EventName } from '@duet/protocol'
import type { CompiledQuery } from 'kysely'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { createPort } from '../../core/port.ts'

/** A durable event for one user, before it has its number in the change log. */
export interface AppendedChange {
  readonly user_id: UserId
  readonly event: EventName
  readonly payload: object
}

/** The statement that writes changes; it is the last statement before the commit. */
export interface AppendStatement {
  readonly query: CompiledQuery
  /** The numbers of the changes, in their order, from the rows of the statement. */
  numbersFrom(rows: readonly { user_id: UserId; head: number }[]): readonly number[]
}

export interface ChangeLog {
  /** Makes the statement that writes rows of the change log. */
  append(tx: Tx, changes: readonly AppendedChange[]): AppendStatement
  /** Sends the newest changes of a user again; a page ignores those that it has. */
  resendLast(app: App, user_id: UserId): Promise<void>
}

/** The change log of the app. */
export const changeLog = createPort<ChangeLog | undefined>('the change log', undefined)
