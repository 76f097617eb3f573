declare global {
  /** Set by the script in index.html for a click before the application was loaded. */
  var duetPressed: string | undefined
  var duetReady: boolean | undefined
}

let resolveReady: () => void

/** Resolves when the landing page runs its clicks itself. */
export const readyForClicks = new Promise<void>((resolve) => {
  resolveReady = resolve
})

/** Returns the click that came before the application was loaded, once. */
export function takeEarlyClick(): string | undefined {
  const pressed = globalThis.duetPressed
  globalThis.duetPressed = undefined
  globalThis.duetReady = true
  resolveReady()
  for (const busy of document.querySelectorAll('[data-press][aria-busy]'))
    busy.removeAttribute('aria-busy')
  return pressed
}
