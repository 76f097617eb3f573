import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

/**
 * After a refused submit the first wrong field gets the focus. The button is pinned below, so the field and its error
 * may lie outside of the screen.
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

/** A form with one sentence about its field: the field gets the focus, so that a screen reader says the sentence. */
export function useSentenceFocus<Form extends HTMLElement>(
  sentence: unknown,
): RefObject<Form | null> {
  const form = useRef<Form>(null)
  useEffect(() => {
    if (sentence) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [sentence])
  return form
}
