import { useEffect } from 'react'

const FLASH_EVERY_MS = 1000

/** Shows `text` as the title of the window, in turn with the former title if `flashes`. */
export function useTitleFlash(text: string, flashes: boolean): void {
  useEffect(() => {
    const former = document.title
    document.title = text
    if (!flashes) return () => restore(text, former)
    const timer = setInterval(() => {
      document.title = document.title === text ? former : text
    }, FLASH_EVERY_MS)
    return () => {
      clearInterval(timer)
      restore(text, former)
    }
  }, [text, flashes])
}

/** Another part of the page may have written a newer title. */
function restore(text: string, former: string): void {
  if (document.title === text) document.title = former
}
