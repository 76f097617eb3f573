import { useEffect, useRef } from 'react'
import { modals } from '../../lib/modals.ts'

const narrow_px = 768

/**
 * On a narrow screen Back closes the dialog on top instead of leaving the page: each open dialog is an entry of the history,
 * and an entry whose dialog closed otherwise is taken away again.
 */
export function useBackCloses(open: number): void {
  const entries = useRef(0)
  const own_steps = useRef(0)
  useEffect(() => {
    const back = () => {
      if (own_steps.current > 0) {
        own_steps.current -= 1
        return
      }
      if (entries.current === 0) return
      entries.current -= 1
      modals.closeTop()
    }
    addEventListener('popstate', back)
    return () => removeEventListener('popstate', back)
  }, [])
  useEffect(() => {
    if (open > entries.current && innerWidth <= narrow_px) {
      history.pushState(history.state, '')
      entries.current += 1
    } else if (open < entries.current) {
      const steps = entries.current - open
      entries.current = open
      own_steps.current += 1
      history.go(-steps)
    }
  }, [open])
}
