import { useEffect, useRef } from 'react'

/** Runs the newest function when the tab is closed or the component is removed. */
export function useAtEnd(run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const leave = () => latest.current()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
}
