import { createStore } from '../observable-store.ts'

/** Whether the screen itself says that there is no connection, in a line of its own. */
export const connectionLineShown = createStore(false)
