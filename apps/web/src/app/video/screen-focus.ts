import { useEffect, useRef } from 'react'
import type { VideoScreenName } from './video-screen.ts'

/** A new screen takes the focus to its heading, or to the control that asks for it, as a new page would. */
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
