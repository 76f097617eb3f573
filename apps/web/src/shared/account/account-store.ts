import type { ClientConnection } from '@duet/client'
import { createStore, type Store } from '../observable-store.ts'

/** @param user_id the user who is logged in now, or undefined while the page has no user */
type AccountListener = (user_id: number | undefined) => void

const listeners = new Set<AccountListener>()

/** Runs when another account signs in on this page, or the account signs out, also by another tab. Returns the unsubscribe function. */
export function onOtherAccount(listener: AccountListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * A store of data that belongs to the account of the page. The store empties itself before another account can read it.
 *
 * @param empty replaces the reset to the initial state, if work must end together with the state
 */
export function createAccountStore<State>(initial: State, empty?: AccountListener): Store<State> {
  const store = createStore(initial)
  onOtherAccount(empty ?? (() => store.set(initial)))
  return store
}

/** Empties every account store at once. */
export function changeAccount(user_id: number | undefined): void {
  for (const listener of [...listeners]) {
    try {
      listener(user_id)
    } catch (error) {
      // A store that cannot be emptied must not leave the other stores full.
      reportError(error)
    }
  }
}

/** Empties the account stores for the life of the page: at the press that logs out, and when AUTH answers with another user. */
export function followAccount(connection: Pick<ClientConnection, 'on'>): void {
  connection.on('logout', () => changeAccount(undefined))
  connection.on('identity', (auth) => changeAccount(auth?.user.id))
}
