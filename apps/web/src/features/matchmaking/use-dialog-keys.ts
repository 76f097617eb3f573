import { useEffect, useRef } from 'react'
import type { KeyMap } from '../../shared/controls/use-keys.ts'

/** Keys of a dialog that has no text field. A button with the focus keeps Enter. */
export function useDialogKeys(keys: KeyMap): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const run = latest.current[event.key]
      const isOnButton = event.target instanceof Element && event.target.closest('button') !== null
      if (!run || event.repeat || (event.key === 'Enter' && isOnButton)) return
      event.preventDefault()
      run()
    }
    // Before the dialog itself, which keeps Escape to itself.
    document.addEventListener('keydown', press, true)
    return () => document.removeEventListener('keydown', press, true)
  }, [])
}
