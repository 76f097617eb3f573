import { createStore } from '../observable-store.ts'

/** Whether this page has a call, on its screen or in its card. Nothing may cover the way to end it. */
export const callPresent = createStore(false)
