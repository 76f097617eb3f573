import { useEffect, useId } from 'react'
import { createStore } from '../observable-store.ts'

/** The forms with unsaved changes. While the list is not empty, the page asks before the user leaves. */
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
