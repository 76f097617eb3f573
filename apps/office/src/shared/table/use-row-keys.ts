import type { RefObject } from 'react'
import { useKeys } from '../keys/use-keys.ts'

interface RowKeys {
  isOn: boolean
  count: number
  scroller: RefObject<HTMLElement | null>
  scrollTo: (index: number) => void
}

/** J and K focus the control of the next or former row that opens it, or its first one, so that Enter presses it. */
export function useRowKeys({ isOn, count, scroller, scrollTo }: RowKeys): void {
  const move = (by: number) => {
    const at = document.activeElement?.closest('[data-index]')
    const former = at && scroller.current?.contains(at) ? Number(at.getAttribute('data-index')) : -1
    const next = Math.max(0, Math.min(count - 1, former + by))
    scrollTo(next)
    // The row is drawn after the list has moved.
    requestAnimationFrame(() => {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)
      const control =
        row?.querySelector<HTMLElement>('[data-open]') ??
        row?.querySelector<HTMLElement>('a, button')
      ;(control ?? row)?.focus()
    })
  }
  useKeys(isOn ? { j: () => move(1), k: () => move(-1) } : {})
}
