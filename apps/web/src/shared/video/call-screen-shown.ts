import { createStore } from '../observable-store.ts'

/** Whether the call fills the window. False while the call runs in its card on another page. */
export const callScreenShown = createStore(false)
