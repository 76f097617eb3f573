import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Every navigation begins at the top, and readers hear the heading of the page they came to. */
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

/** A page may still be loading: its heading is taken when it comes. */
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
