import { useEffect, useRef } from 'react'

export type KeyMap = Readonly<Record<string, () => void>>

/** Where keys are letters: they write there. */
const WRITING = 'input, textarea, select, [contenteditable="true"]'
/** A dialog, a menu or a list that is open has its own keys. */
const OPEN_ABOVE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** Keys of a screen, by the capital letter or the name of the key. Text fields and dialogs keep their keys. */
export function useKeys(keys: KeyMap): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const run = latest.current[keyName(event)]
      if (!run || !isFree(event)) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

function keyName({ key, code, shiftKey }: KeyboardEvent): string {
  // The place of the letter, so that it works under every keyboard language.
  if (code.startsWith('Key')) return code.slice(3)
  // Some keyboards have this sign without Shift. An act that cannot be undone needs two keys.
  return key === '!' && shiftKey ? 'Shift+!' : key
}

function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey)
    return false
  const target = event.target instanceof Element ? event.target : null
  if (target?.closest(WRITING) || document.querySelector(OPEN_ABOVE)) return false
  // Enter presses the control that has the focus.
  return event.key !== 'Enter' || !target?.closest('button, a, summary, [role="switch"]')
}
