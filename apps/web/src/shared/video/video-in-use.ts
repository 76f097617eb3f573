import { createStore } from '../observable-store.ts'

/**
 * Whether search and calls were needed in this page. The layout then mounts the call above the routes and keeps it, so that no
 * navigation closes it; a visitor who only reads the landing page never loads it.
 */
export const videoInUse = createStore(false)
