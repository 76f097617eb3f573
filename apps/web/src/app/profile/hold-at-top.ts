/** After such an event the user decides the scroll position. */
const OWN_MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
/** While sections load, less time passes between two growths. Later growth is not a part of the opening. */
const QUIET_MS = 4_000
/** Browsers round positions. */
const ROUNDING_PX = 2

/**
 * Keeps a section at the top while the sections above it load and grow. Ends when the user moves the page or nothing
 * has grown for a while. A screen reader moves the page without an input event: the position of the section shows its
 * scroll. Returns the function that ends the work.
 */
export function holdAtTop(section: HTMLElement, column: HTMLElement): () => void {
  const place = () => section.getBoundingClientRect().top
  let heldAt: number
  let quiet: ReturnType<typeof setTimeout> | undefined
  const align = () => {
    section.scrollIntoView({ block: 'start' })
    heldAt = place()
    clearTimeout(quiet)
    quiet = setTimeout(stop, QUIET_MS)
  }
  section.querySelector('h2')?.focus({ preventScroll: true })
  const watcher = new ResizeObserver(align)
  const listeners = new AbortController()
  const { signal } = listeners
  const stop = () => {
    clearTimeout(quiet)
    watcher.disconnect()
    listeners.abort()
  }
  for (const move of OWN_MOVES) addEventListener(move, stop, { passive: true, signal })
  const onScroll = () => {
    // Our own scroll leaves the section where it is held. So does a scroll that follows growth.
    if (Math.abs(place() - heldAt) > ROUNDING_PX) stop()
  }
  addEventListener('scroll', onScroll, { passive: true, signal })
  align()
  watcher.observe(column)
  return stop
}
