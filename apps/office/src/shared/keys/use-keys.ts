import { useEffect, useRef } from 'react'

/** Handlers by key: `j`, `Enter`, `Control+Enter`, `?`. */
export type KeyHandlers = Readonly<Record<string, (() => void) | undefined>>

function keyName(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return event.ctrlKey || event.metaKey ? `Control+${key}` : key
}

/** Whether the key belongs to the field or control that has the focus. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return false
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return true
  // A list takes letters and digits as the beginning of a choice, and what scrolls takes the arrows.
  if (event.key.length === 1 && target.closest('[role=combobox], [role=listbox]')) return true
  if (event.key.startsWith('Arrow') && target.closest('[role=combobox], [tabindex="0"]'))
    return true
  const isPress = event.key === 'Enter' || event.key === ' '
  return isPress && target.closest('button, a, [role=combobox], [role=option]') !== null
}

/** A checkbox claims Enter for itself, also with Control, and does nothing with it. */
function isHandled(event: KeyboardEvent): boolean {
  return event.defaultPrevented && keyName(event) !== 'Control+Enter'
}

/** Listens to keys of the whole page, except while a person types or a dialog is open. */
export function useKeys(handlers: KeyHandlers): void {
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isHandled(event) || event.altKey || isTaken(event)) return
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return
      const handle = latest.current[keyName(event)]
      if (!handle) return
      event.preventDefault()
      handle()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
