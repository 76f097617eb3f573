import { createStore } from '../observable-store.ts'

/** Whether a line of the screen itself already states that there is no connection. */
export const connectionLineShown = createStore(false)
