import { useSyncExternalStore } from 'react'

/** Whether a media query holds now; follows its changes. */
export function useMedia(query: string): boolean {
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

/** The one switch of behaviour: 768 px and less is mobile. */
export const useMobile = () => useMedia('(width <= 768px)')

/** Whether somebody asked their system for less movement. */
export const useReducedMotion = () => useMedia('(prefers-reduced-motion: reduce)')
