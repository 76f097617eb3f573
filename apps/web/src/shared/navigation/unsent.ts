import { createStore } from '../observable-store.ts'

/**
 * Work of features that outlives its screen, but neither the page nor the login: files on their way, a draft with pictures.
 * A navigation loses none of it and does not ask; the closing of the tab and a log-out do.
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
