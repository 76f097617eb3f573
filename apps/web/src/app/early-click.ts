declare global {
  /** Set by the script in index.html for a click before the application was loaded. */
  var duet_pressed: string | undefined
  var duet_ready: boolean | undefined
}

/** Returns the click that came before the application was loaded, once. */
export function takeEarlyClick(): string | undefined {
  const pressed = globalThis.duet_pressed
  globalThis.duet_pressed = undefined
  globalThis.duet_ready = true
  return pressed
}
