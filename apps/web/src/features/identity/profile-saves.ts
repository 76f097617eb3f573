import { createStore } from '../../shared/observable-store.ts'

/** How many times the server has confirmed a change of the own profile. The open form shows a notice for each. */
export const profileSaves = createStore(0)
