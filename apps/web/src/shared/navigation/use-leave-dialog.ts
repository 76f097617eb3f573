import { useNavigate } from 'react-router'
import type { MouseEvent } from 'react'
import { dialogs } from '../dialogs.ts'
import { backEntries } from './back-entries.ts'

/**
 * The press of a link inside of a dialog: every dialog closes and leaves the history before the page opens. A press that
 * opens another tab or window leaves the dialog as it is.
 */
export function useLeaveDialog(close: () => void) {
  const navigate = useNavigate()
  return async (event: MouseEvent, to: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    close()
    dialogs.closeAll()
    // The removal of an entry that was never added waits for the removals before it.
    await backEntries.remove({ onBack() {} })
    await navigate(to)
  }
}
