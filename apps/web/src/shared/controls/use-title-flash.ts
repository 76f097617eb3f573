import { useEffect } from 'react'
import { setTitleNotice } from '../navigation/page-title.ts'

const FLASH_EVERY_MS = 1000

/** Shows `text` as the title of the window while it is active, in turn with the name of the page if `flashes`. */
export function useTitleFlash(
  text: string,
  { active, flashes }: Record<'active' | 'flashes', boolean>,
): void {
  useEffect(() => {
    if (!active) return
    let isShown = true
    setTitleNotice(text)
    const toggle = () => {
      isShown = !isShown
      setTitleNotice(isShown ? text : undefined)
    }
    const timer = flashes ? setInterval(toggle, FLASH_EVERY_MS) : undefined
    return () => {
      clearInterval(timer)
      setTitleNotice(undefined)
    }
  }, [text, active, flashes])
}
