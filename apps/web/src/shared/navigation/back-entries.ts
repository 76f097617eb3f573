import { useEffect, useRef } from 'react'

/** Something that Back closes before it leaves the page. */
export interface BackEntry {
  onBack(): void
}

/**
 * One history entry for each thing that Back closes: dialogs, sheets, the call screen. An entry that closes in another way is
 * removed from the history first: steps back are asynchronous and would undo a navigation that follows.
 */
export function createBackEntries() {
  const added: BackEntry[] = []
  const wanted = new Set<BackEntry>()
  let stepArrived: (() => void) | undefined
  let settled: Promise<void> = Promise.resolve()

  /** One change of the history at a time: two steps at once could not be distinguished from a Back of the user. */
  function enqueue(change: () => void | Promise<void>): Promise<void> {
    settled = settled.then(change)
    return settled
  }

  function stepBack(): Promise<void> {
    return new Promise((resolve) => {
      stepArrived = resolve
      history.back()
    })
  }

  return {
    /** Adds an entry once the history has settled, unless it was removed before. */
    add(entry: BackEntry): Promise<void> {
      wanted.add(entry)
      return enqueue(() => {
        if (!wanted.has(entry) || added.includes(entry)) return
        history.pushState(history.state, '')
        added.push(entry)
      })
    },
    /** Removes an entry that closed in another way. Resolves when the history has settled. */
    remove(entry: BackEntry): Promise<void> {
      wanted.delete(entry)
      return enqueue(() => {
        const index = added.indexOf(entry)
        if (index === -1) return
        added.splice(index, 1)
        return stepBack()
      })
    },
    /** The history moved: either by our own step, or because the user pressed Back. */
    onPopState(): void {
      const ownStep = stepArrived
      stepArrived = undefined
      if (ownStep) return ownStep()
      const top = added.pop()
      if (!top) return
      wanted.delete(top)
      top.onBack()
    },
  }
}

export const backEntries = createBackEntries()

/** While `isOpen`, Back calls `onBack` instead of leaving the page. */
export function useBackEntry(isOpen: boolean, onBack: () => void): void {
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  })
  useEffect(() => {
    if (!isOpen) return
    const entry = { onBack: () => latest.current() }
    void backEntries.add(entry)
    return () => void backEntries.remove(entry)
  }, [isOpen])
}
