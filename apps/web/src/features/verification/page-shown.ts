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

/** Whether the user is on the page of the verification. An event can end its steps before the answer arrives. */
export const isPageShown = (): boolean => shownPages > 0
