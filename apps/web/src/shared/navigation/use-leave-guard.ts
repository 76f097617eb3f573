import { use, useEffect } from 'react'
import { UNSAFE_NavigationContext } from 'react-router'
import { backEntries, type BackEntry } from './back-entries.ts'
import { guardLeaving } from './leave-guard.ts'
import { dialogs } from '../dialogs.ts'
import { useStore } from '../observable-store.ts'
import { unsavedForms } from './unsaved.ts'

/**
 * While a form has unsaved changes, the page asks before a link, Back or the closing of the tab. The router calls its
 * `navigator` for every navigation. The router's own hook needs a router that loads data. A redirect (`replace`)
 * passes: it follows a log-out, and then there is nothing to save.
 */
export function useLeaveGuard(): void {
  const { navigator } = use(UNSAFE_NavigationContext)
  const isUnsaved = useStore(unsavedForms).size > 0
  useEffect(() => {
    if (!isUnsaved) return
    const push = navigator.push
    let isAsking = false
    async function ask(leave: () => void): Promise<boolean> {
      if (isAsking) return false
      isAsking = true
      const isLeaving = (await dialogs.ask('leave_unsaved', {})) === true
      isAsking = false
      if (!isLeaving) return false
      await release()
      leave()
      return true
    }
    async function release(): Promise<void> {
      navigator.push = push
      await backEntries.remove(entry)
    }
    const entry: BackEntry = {
      async onBack() {
        if (!(await ask(() => history.back()))) await backEntries.add(entry)
      },
    }
    void backEntries.add(entry)
    navigator.push = (...to) => void ask(() => push.apply(navigator, to))
    addEventListener('beforeunload', preventUnload)
    const unguard = guardLeaving({ ask: () => ask(() => {}), release })
    return () => {
      unguard()
      navigator.push = push
      removeEventListener('beforeunload', preventUnload)
      void backEntries.remove(entry)
    }
  }, [isUnsaved, navigator])
}

function preventUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
