import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * After each navigation the page is at the top. The heading has the focus, so that screen readers announce the heading.
 */
export function useRouteFocus(): void {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    scrollTo(0, 0)
    return focusHeading()
  }, [pathname])
}

/** Focuses the heading. While the page is loading, waits for the heading. */
function focusHeading(): () => void {
  const page = document.getElementById('page')
  const focus = () => {
    const heading = page?.querySelector('h1')
    heading?.focus({ preventScroll: true })
    return Boolean(heading)
  }
  if (!page || focus()) return () => {}
  const watcher = new MutationObserver(() => focus() && watcher.disconnect())
  watcher.observe(page, { childList: true, subtree: true })
  return () => watcher.disconnect()
}
