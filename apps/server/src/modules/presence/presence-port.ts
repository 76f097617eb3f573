import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { UserId } from '../../core/ids.ts'

/** The current activity of a user; `free`: nothing that others see. */
export type Activity = 'free' | 'searching' | 'public' | 'private' | 'break'

/**
 * The users who are online, and their activity. The memory form serves one process.
 *
 * The process that holds a user's connection, search or call writes their presence and may read it back.
 * These functions return at once. Questions about any other user are asynchronous, because a form for many
 * processes reads a shared store.
 */
export interface Presence {
  /** Returns false if the user was online already. */
  setOnline(user_id: UserId, role: Role): boolean
  /** Returns false if the user was offline already. */
  setOffline(user_id: UserId): boolean
  /** Whether the catalogue may show a girl who is online. She is not listed before the first call. */
  setListed(user_id: UserId, isListed: boolean): void
  /** Returns false if the activity was the same. It is independent of being online: a call goes on while one side is away. */
  setActivity(user_id: UserId, activity: Activity): boolean
  /** The activity that this process has set for the user. */
  getActivity(user_id: UserId): Activity
  /** The role of a user who is online through this process; undefined for others. */
  onlineRole(user_id: UserId): Role | undefined
  /** Those of the given users who are online, with their activities. */
  findOnline(ids: readonly UserId[]): Promise<ReadonlyMap<UserId, Activity>>
  /** Of the girls that the catalogue may show. */
  girlsOnline(): Promise<number>
  /** Counts of the users who are online, for staff. It passes over all of them. */
  onlineFigures(): Promise<OnlineFigures>
}

export interface OnlineFigures {
  readonly guys: number
  readonly girls: number
  readonly searching: number
}
