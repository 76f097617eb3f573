import { useEffect, useId } from 'react'
import { createStore } from '../observable-store.ts'

/** The forms with changes that are not saved. While there is one, the page asks before it is left. */
export const unsavedForms = createStore<ReadonlySet<string>>(new Set())

/** Marks the form of this component as changed. Its changes are gone when it is unmounted. */
export function useUnsaved(isChanged: boolean): void {
  const id = useId()
  useEffect(() => {
    if (!isChanged) return
    unsavedForms.update((forms) => new Set([...forms, id]))
    return () => unsavedForms.update((forms) => new Set([...forms].filter((form) => form !== id)))
  }, [id, isChanged])
}
