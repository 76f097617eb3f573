import { useEffect } from 'react'

let shownPages = 0

/** The page of the verification counts itself while it is on the screen. */
export function usePageShown(): void {
  useEffect(() => {
    shownPages += 1
    return () => {
      shownPages -= 1
    }
  }, [])
}

/** Whether the user is on that page. Its steps may be gone already: an event can end them before the answer does. */
export const isPageShown = (): boolean => shownPages > 0
