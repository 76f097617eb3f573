import { useEffect, useRef, useState, type RefObject } from 'react'
import type { KeyMap } from '../../shared/controls/use-keys.ts'

/** A key that was meant for another screen is pressed within this time, or is still held. */
const SETTLE_MS = 1000
const PRESSES: ReadonlySet<string> = new Set(['Enter', ' ', 'Escape'])

interface DialogKeys {
  keys: KeyMap
  /** An element within the dialog. A dialog that is open above keeps its own keys. */
  inside: RefObject<Element | null>
  active: boolean
}

/**
 * Keys of a dialog that appears by itself and has no text field. Until no key was pressed for a second, the dialog
 * takes no key. A button with the focus keeps Enter. Returns whether the keys work.
 */
export function useDialogKeys({ keys, inside, active }: DialogKeys): boolean {
  const [isSettled, setSettled] = useState(false)
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    if (!active || isSettled) return
    return holdKeys(() => setSettled(true))
  }, [active, isSettled])
  useEffect(() => {
    if (!active || !isSettled) return
    const press = (event: KeyboardEvent) => {
      const run = latest.current[event.key]
      const target = event.target instanceof Element ? event.target : null
      if (!run || event.repeat || isAbove(target, inside.current)) return
      if (event.key === 'Enter' && target?.closest('button')) return
      event.preventDefault()
      run()
    }
    // Before the dialog itself, which keeps Escape to itself.
    document.addEventListener('keydown', press, true)
    return () => document.removeEventListener('keydown', press, true)
  }, [active, isSettled, inside])
  return active && isSettled
}

/** Stops the keys that press and close, until no key was pressed for a while. */
function holdKeys(onSettled: () => void): () => void {
  let timer = setTimeout(onSettled, SETTLE_MS)
  const hold = (event: KeyboardEvent) => {
    // Tab chooses a control of the dialog itself.
    if (event.key === 'Tab') return
    clearTimeout(timer)
    timer = setTimeout(onSettled, SETTLE_MS)
    if (!PRESSES.has(event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('keydown', hold, true)
  document.addEventListener('keyup', hold, true)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('keydown', hold, true)
    document.removeEventListener('keyup', hold, true)
  }
}

function isAbove(target: Element | null, inside: Element | null): boolean {
  const dialog = target?.closest('[role="dialog"], [role="alertdialog"]')
  return dialog ? !dialog.contains(inside) : false
}
