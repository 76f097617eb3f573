import { useEffect } from 'react'
import { dialogs } from '../../shared/dialogs.ts'

const NARROW_SCREEN_PX = 768

/**
 * On a narrow screen Back closes the top dialog instead of leaving the page. Each open dialog has a history entry. When a
 * dialog closes in another way, its entry is removed before the dialog's answer is returned: steps back are asynchronous and
 * would undo a navigation that follows the answer.
 */
function createHistoryEntries() {
  let entries = 0
  let stepArrived: (() => void) | undefined
  let settled: Promise<void> = Promise.resolve()

  function stepBack(): Promise<void> {
    entries -= 1
    settled = new Promise((resolve) => {
      stepArrived = resolve
    })
    history.back()
    return settled
  }

  return {
    /** Adds an entry for a dialog that opened, once the history has settled. */
    async onOpen(): Promise<void> {
      if (innerWidth > NARROW_SCREEN_PX) return
      await settled
      if (dialogs.getSnapshot().length <= entries) return
      history.pushState(history.state, '')
      entries += 1
    },
    /** Removes the entry of a dialog that closed, unless Back has already removed it. */
    onClose: (): Promise<void> => (dialogs.getSnapshot().length < entries ? stepBack() : settled),
    /** The history moved: either by our own step, or because the user pressed Back. */
    onPopState(): void {
      const ownStep = stepArrived
      stepArrived = undefined
      if (ownStep) return ownStep()
      if (entries === 0) return
      entries -= 1
      dialogs.closeTop()
    },
  }
}

const entries = createHistoryEntries()

/** Keeps the history in step with the dialogs; `topKey` is the key of the top dialog. */
export function useBackCloses(topKey: number | undefined): void {
  useEffect(() => {
    addEventListener('popstate', entries.onPopState)
    dialogs.onClose(entries.onClose)
    return () => removeEventListener('popstate', entries.onPopState)
  }, [])
  useEffect(() => {
    if (topKey !== undefined) void entries.onOpen()
  }, [topKey])
}
