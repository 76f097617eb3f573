declare global {
  /** Set by the script in index.html, which keeps a press that came before the application. */
  var duet_pressed: string | undefined
  var duet_ready: boolean | undefined
}

/** What was pressed before the application was there, once. */
export function takeEarlyClick(): string | undefined {
  const pressed = globalThis.duet_pressed
  globalThis.duet_pressed = undefined
  globalThis.duet_ready = true
  return pressed
}
