import type { UserInterlocutor } from '@duet/protocol'
import { createAccountStore } from '../account/account-store.ts'
import { useStore } from '../observable-store.ts'

/**
 * Other users by id. A screen keeps ids and reads the users here, so a status event changes one entry and every screen.
 */
const people = createAccountStore<ReadonlyMap<number, UserInterlocutor>>(new Map())

/** Stores users from an answer of the server. Newer data replaces older data. */
export function storePeople(users: readonly UserInterlocutor[]): void {
  people.update(
    (current) => new Map([...current, ...users.map((user) => [user.id, user] as const)]),
  )
}

/** Applies a change to a stored user. A user who was never stored stays unknown. */
export function patchPerson(user_id: number, change: Partial<UserInterlocutor>): void {
  people.update((current) => {
    const user = current.get(user_id)
    return user ? new Map(current).set(user_id, { ...user, ...change }) : current
  })
}

export function personById(user_id: number): UserInterlocutor | undefined {
  return people.getSnapshot().get(user_id)
}

export function usePerson(user_id: number | undefined): UserInterlocutor | undefined {
  return useStore(people, (current) => (user_id === undefined ? undefined : current.get(user_id)))
}
