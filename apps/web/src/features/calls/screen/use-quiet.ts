import { useEffect, useState, type RefObject } from 'react'

const QUIET_AFTER_MS = 4_000
const INPUT = [
  'pointermove',
  'pointerdown',
  'keydown',
  'focusin',
  'focusout',
  'touchstart',
] as const

/**
 * True after a while without a movement, press or focus. Controls may then fade, unless a control has the keyboard's
 * focus.
 */
export function useQuiet(runs: boolean, controls: RefObject<HTMLElement | null>): boolean {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    if (!runs) return setQuiet(false)
    let timer: ReturnType<typeof setTimeout>
    const stir = () => {
      setQuiet(false)
      clearTimeout(timer)
      timer = setTimeout(() => setQuiet(!hasVisibleFocus(controls.current)), QUIET_AFTER_MS)
    }
    stir()
    for (const event of INPUT) document.addEventListener(event, stir, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const event of INPUT) document.removeEventListener(event, stir)
    }
  }, [runs, controls])
  return quiet
}

/** On a new screen the heading has the focus. The heading is not a control. */
function hasVisibleFocus(controls: HTMLElement | null): boolean {
  return controls?.querySelector(':focus-visible:not(h1)') != null
}
