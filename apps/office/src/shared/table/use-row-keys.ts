import { useEffect, useRef, type RefObject } from 'react'
import { useKeys } from '../keys/use-keys.ts'

interface RowKeys {
  isOn: boolean
  keys: readonly (string | number)[]
  scroller: RefObject<HTMLElement | null>
  /** The first row that is seen whole. */
  firstSeen: () => number
  scrollTo: (index: number) => void
}

const rowIndex = (element: Element | null) =>
  Number(element?.closest('[data-index]')?.getAttribute('data-index') ?? -1)

/**
 * J and K focus the control of the next or former row that opens it, so that Enter presses it, and the row itself where
 * nothing opens it. They begin at the row that had the focus last, also when it is scrolled away, else at the first row
 * that is seen.
 */
export function useRowKeys({ isOn, keys, scroller, firstSeen, scrollTo }: RowKeys): void {
  const marked = useMarkedRow(scroller, keys)
  const move = (by: number) => {
    const former = keys.indexOf(marked.current ?? '')
    const next = former < 0 ? firstSeen() : Math.max(0, Math.min(keys.length - 1, former + by))
    scrollTo(next)
    // The row is drawn after the list has moved.
    requestAnimationFrame(() => {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)
      const control = row?.querySelector<HTMLElement>('[data-open]') ?? row
      control?.focus()
    })
  }
  useKeys(isOn ? { j: () => move(1), k: () => move(-1) } : {})
}

/** The key of the row that has the focus. A row that is scrolled away loses the focus, but not its mark. */
function useMarkedRow(scroller: RefObject<HTMLElement | null>, keys: RowKeys['keys']) {
  const marked = useRef<string | number>(undefined)
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const mark = ({ target }: FocusEvent) => {
      const element = target as Element
      const isRow = scroller.current?.contains(element) === true && rowIndex(element) >= 0
      marked.current = isRow ? latest.current[rowIndex(element)] : undefined
    }
    // A press beside all controls takes the focus away without giving it to another element.
    const press = ({ target }: PointerEvent) => {
      if (rowIndex(target as Element) < 0) marked.current = undefined
    }
    document.addEventListener('focusin', mark)
    document.addEventListener('pointerdown', press)
    return () => {
      document.removeEventListener('focusin', mark)
      document.removeEventListener('pointerdown', press)
    }
  }, [scroller])
  return marked
}
