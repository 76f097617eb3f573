import { useEffect, useRef } from 'react'
import type { VideoScreenName } from './video-screen.ts'

/**
 * As on a new page, a new screen moves the focus to its heading. If a control asks for the focus, the control gets the
 * focus.
 */
export function useScreenFocus(name: VideoScreenName): void {
  const before = useRef(name)
  useEffect(() => {
    if (before.current === name) return
    before.current = name
    const active = document.activeElement
    // An element that focused itself, and a field that the user writes in, keep the focus.
    if (active && active !== document.body) return
    document.querySelector<HTMLElement>('h1[tabindex="-1"]')?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }, [name])
}
