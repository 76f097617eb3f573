import { createStore } from '../observable-store.ts'

/**
 * Whether this page has needed search and calls. The layout then keeps the call mounted above the routes, so that no
 * navigation closes the call. A visitor who only reads the landing page never loads the call.
 */
export const videoInUse = createStore(false)

/** Opens camera and microphone. Resolves to false if the browser gives none of the two. */
export type OpenDevices = () => Promise<boolean>

/** Set by the call as soon as it is loaded. */
export const callDevices = createStore<OpenDevices | null>(null)
