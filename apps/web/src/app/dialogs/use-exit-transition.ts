import { useEffect, useRef, useState } from 'react'
import type { OpenDialog } from '../../shared/dialogs.ts'

/** A dialog that closed stays for as long as it takes to leave the screen. */
const leaves_within_ms = 400

export interface ShownDialog {
  readonly modal: OpenDialog
  readonly open: boolean
}

/** The open dialogs, and those that are just leaving. */
export function useExitTransition(stack: readonly OpenDialog[]): readonly ShownDialog[] {
  const [leaving, setLeaving] = useState<readonly OpenDialog[]>([])
  const before = useRef(stack)
  useEffect(() => {
    const gone = before.current.filter((modal) => !stack.some((one) => one.key === modal.key))
    before.current = stack
    if (gone.length === 0) return
    setLeaving((kept) => [...kept, ...gone])
    setTimeout(
      () => setLeaving((kept) => kept.filter((modal) => !gone.includes(modal))),
      leaves_within_ms,
    )
  }, [stack])
  const present = stack.map((modal) => ({ modal, open: true }))
  const past = leaving
    .filter((modal) => !stack.some((one) => one.key === modal.key))
    .map((modal) => ({ modal, open: false }))
  return [...present, ...past].sort((one, other) => one.modal.key - other.modal.key)
}
