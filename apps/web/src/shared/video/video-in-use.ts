import { createStore } from '../observable-store.ts'

/**
 * Whether this page has needed search and calls. The layout then keeps the call mounted above the routes, so that no
 * navigation closes the call. A visitor who only reads the landing page never loads the call.
 */
export const videoInUse = createStore(false)
