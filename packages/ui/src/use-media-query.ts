import { useSyncExternalStore } from 'react'

/** Returns whether a media query matches, and follows its changes. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
    () => false,
  )
}

/** The one breakpoint of behaviour: 768 px and less is mobile. */
export const useMobile = () => useMediaQuery('(width <= 768px)')

/** Returns whether the user's system asks for reduced motion. */
export const useReducedMotion = () => useMediaQuery('(prefers-reduced-motion: reduce)')
