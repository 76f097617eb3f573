import { useEffect, useState } from 'react'

interface PageVisibility {
  isVisible: boolean
  /** When a hidden page was shown again; 0 for a page that has been visible since the component was mounted. */
  shown_at_ms: number
}

function isVisibleNow(): boolean {
  return document.visibilityState === 'visible'
}

/** Whether the user can see the page: what starts by itself waits for that, and counts from then. */
export function usePageVisibility(): PageVisibility {
  const [visibility, setVisibility] = useState<PageVisibility>(() => ({
    isVisible: isVisibleNow(),
    shown_at_ms: 0,
  }))
  useEffect(() => {
    const follow = () => setVisibility({ isVisible: isVisibleNow(), shown_at_ms: Date.now() })
    document.addEventListener('visibilitychange', follow)
    return () => document.removeEventListener('visibilitychange', follow)
  }, [])
  return visibility
}
