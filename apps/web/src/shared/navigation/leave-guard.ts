import { dialogs } from '../dialogs.ts'
import { unsentWork } from './unsent.ts'

/** Asks before the page is left: `ask` answers whether it may be left, `release` lets the next navigation pass unasked. */
interface LeaveGuard {
  ask(): Promise<boolean>
  release(): Promise<void>
}

let guard: LeaveGuard | undefined

/** Sets the guard of the shown page. Returns the function that removes the guard. */
export function guardLeaving(own: LeaveGuard): () => void {
  guard = own
  return () => {
    if (guard === own) guard = undefined
  }
}

/**
 * If changes are not saved or sent, asks whether the page may be left. After true the next navigation does not ask
 * again. A navigation that asks returns before the answer, so work that must follow the navigation calls this function
 * first.
 */
export async function mayLeave(): Promise<boolean> {
  if (guard) return guard.ask()
  return unsentWork.getSnapshot().size === 0 || (await dialogs.ask('leave_unsaved', {})) === true
}

/** The page must be left, and there is nothing to save any more. */
export async function releaseLeaving(): Promise<void> {
  await guard?.release()
}
