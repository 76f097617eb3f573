import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * The first wrong field of a form takes the focus when a submit is refused: the button is pinned below, and the field with its
 * sentence may have scrolled away.
 */
export function useWrongFieldFocus() {
  const form = useRef<HTMLFormElement>(null)
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])
  const focusWrongField = useCallback(() => setRefusals((count) => count + 1), [])
  return { form, focusWrongField }
}
