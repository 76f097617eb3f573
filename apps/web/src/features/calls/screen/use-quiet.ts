import { useEffect, useState } from 'react'

const QUIET_AFTER_MS = 4_000
const INPUT = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'touchstart'] as const

/** True after a while without a movement, press or focus: controls may fade. */
export function useQuiet(runs: boolean): boolean {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    if (!runs) return setQuiet(false)
    let timer: ReturnType<typeof setTimeout>
    const stir = () => {
      setQuiet(false)
      clearTimeout(timer)
      timer = setTimeout(() => setQuiet(true), QUIET_AFTER_MS)
    }
    stir()
    for (const event of INPUT) document.addEventListener(event, stir, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const event of INPUT) document.removeEventListener(event, stir)
    }
  }, [runs])
  return quiet
}
