import { useEffect } from 'react'
import { dialogs } from '../../shared/dialogs.ts'

const narrow_px = 768

/**
 * On a narrow screen Back closes the dialog on top instead of leaving the page: each open dialog is an entry of the history,
 * and an entry whose dialog closed otherwise is taken away again before anybody learns of the answer, because steps back are late
 * and would undo a navigation that follows.
 */
function createEntries() {
  let entries = 0
  let arrived: (() => void) | undefined
  let settled: Promise<void> = Promise.resolve()

  function stepBack(): Promise<void> {
    entries -= 1
    settled = new Promise((resolve) => {
      arrived = resolve
    })
    history.back()
    return settled
  }

  return {
    /** A dialog opened: it gets its entry once the history stands still. */
    async opened(): Promise<void> {
      if (innerWidth > narrow_px) return
      await settled
      if (dialogs.getSnapshot().length <= entries) return
      history.pushState(history.state, '')
      entries += 1
    },
    /** A dialog closed: its entry goes, unless Back took it already. */
    closed: (): Promise<void> => (dialogs.getSnapshot().length < entries ? stepBack() : settled),
    /** The history moved: by our own step, or because somebody pressed Back. */
    moved(): void {
      const own = arrived
      arrived = undefined
      if (own) return own()
      if (entries === 0) return
      entries -= 1
      dialogs.closeTop()
    },
  }
}

const entries = createEntries()

/** Keeps the history in step with the dialogs; `top` is the key of the uppermost. */
export function useBackCloses(top: number | undefined): void {
  useEffect(() => {
    addEventListener('popstate', entries.moved)
    dialogs.onClose(entries.closed)
    return () => removeEventListener('popstate', entries.moved)
  }, [])
  useEffect(() => {
    if (top !== undefined) void entries.opened()
  }, [top])
}
