import { createStore } from '../observable-store.ts'

/**
 * Work of features that outlives its screen, such as uploads or a draft with pictures. The work ends with the page or
 * the login. A navigation loses nothing and does not ask. The closing of the tab and a log-out ask.
 */
export const unsentWork = createStore<ReadonlySet<string>>(new Set())

/** Sets whether this part of a feature has something that would be lost with the page. */
export function markUnsent(part: string, isUnsent: boolean): void {
  const before = unsentWork.getSnapshot()
  if (before.has(part) === isUnsent) return
  const others = [...before].filter((one) => one !== part)
  unsentWork.set(new Set(isUnsent ? [...others, part] : others))
  if (unsentWork.getSnapshot().size > 0) addEventListener('beforeunload', preventUnload)
  else removeEventListener('beforeunload', preventUnload)
}

function preventUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
