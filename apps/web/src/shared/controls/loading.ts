import { createStore, useStore } from '../observable-store.ts'

/** The bar stays for this time after the last load, so that two loads in a row show one bar. */
const HIDE_DELAY_MS = 50

const isShown = createStore(false)
let pendingLoads = 0
let hideTimer: ReturnType<typeof setTimeout> | undefined

/** Shows the loading bar until the promise settles. */
export function whileLoading<T>(load: Promise<T>): Promise<T> {
  pendingLoads += 1
  clearTimeout(hideTimer)
  isShown.set(true)
  return load.finally(() => {
    pendingLoads -= 1
    if (pendingLoads === 0) hideTimer = setTimeout(() => isShown.set(false), HIDE_DELAY_MS)
  })
}

export function useIsLoading(): boolean {
  return useStore(isShown)
}
