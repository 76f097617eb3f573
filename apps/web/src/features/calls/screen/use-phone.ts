import { useMediaQuery, useMobile } from '@duet/ui'

/** A phone on its side is wide and low: its call is a phone's, with the controls at the end. */
export const useSideways = () => useMediaQuery('(height < 500px)')

/** The call's layout for a hand: up to 768 px wide, or a phone on its side. */
export function usePhone(): boolean {
  const isNarrow = useMobile()
  const isSideways = useSideways()
  return isNarrow || isSideways
}
