import { useEffect, useRef, useState } from 'react'
import type { OpenDialog } from '../../shared/dialogs.ts'

/** A closed dialog stays mounted this long, for its exit transition. */
const EXIT_TRANSITION_MS = 400

export interface ShownDialog {
  readonly dialog: OpenDialog
  readonly open: boolean
}

/** The open dialogs, and the closed dialogs whose exit transition runs. */
export function useExitTransition(stack: readonly OpenDialog[]): readonly ShownDialog[] {
  const [exiting, setExiting] = useState<readonly OpenDialog[]>([])
  const previous = useRef(stack)
  useEffect(() => {
    const closed = previous.current.filter(({ key }) => !stack.some((open) => open.key === key))
    previous.current = stack
    if (closed.length === 0) return
    setExiting((current) => [...current, ...closed])
    setTimeout(
      () => setExiting((current) => current.filter((dialog) => !closed.includes(dialog))),
      EXIT_TRANSITION_MS,
    )
  }, [stack])
  const open = stack.map((dialog) => ({ dialog, open: true }))
  const closing = exiting
    .filter(({ key }) => !stack.some((dialog) => dialog.key === key))
    .map((dialog) => ({ dialog, open: false }))
  return [...open, ...closing].sort((a, b) => a.dialog.key - b.dialog.key)
}
