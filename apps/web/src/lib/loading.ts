import { useSyncExternalStore } from 'react'

/** The bar stays for this long after the last load, so that two loads in a row are one bar. */
const hides_after_ms = 50

let running = 0
let isShown = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function show(shown: boolean): void {
  if (isShown === shown) return
  isShown = shown
  for (const listener of listeners) listener()
}

/** Shows the loading bar for as long as something loads. */
export function whileLoading<T>(load: Promise<T>): Promise<T> {
  running += 1
  clearTimeout(timer)
  show(true)
  return load.finally(() => {
    running -= 1
    if (running === 0) timer = setTimeout(() => show(false), hides_after_ms)
  })
}

export function useIsLoading(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isShown,
    () => false,
  )
}
