import { useCallback, useEffect, useRef } from 'react'

/** Something that Back closes before it leaves the page. */
export interface BackEntry {
  onBack(): void
}

/** Our part of `history.state`: how many entries of ours lie below and at this history entry. */
interface MarkedState {
  readonly back_depth?: number
}

function depthNow(): number {
  return (history.state as MarkedState | null)?.back_depth ?? 0
}

/** A step that the browser never reports must not keep every later dialog open. */
const STEP_LIMIT_MS = 2_000

/**
 * A frame with history entries of its own takes `history.back()`, even after its removal. The check of a captcha
 * provider is such a frame. The page would then stay where it is, without an event.
 */
function moveBack(): void {
  const { navigation } = globalThis as Partial<Pick<typeof globalThis, 'navigation'>>
  if (!navigation?.canGoBack) return history.back()
  // Another navigation may take its place, and then both reject.
  const { committed, finished } = navigation.back()
  committed?.catch(() => {})
  finished?.catch(() => {})
}

/**
 * One history entry for each part that Back closes: a dialog, a sheet, the call screen. If the part closes in another
 * way, its entry is first removed from the history. Steps back are asynchronous and would undo a navigation that
 * follows.
 *
 * Each entry marks its depth in `history.state`. The browser reports every move of the history alike, so only a move to
 * a smaller depth closes entries. A route that renders during the same event may already have added its entry.
 */
export function createBackEntries() {
  const added: { readonly entry: BackEntry; depth: number }[] = []
  const wanted = new Set<BackEntry>()
  let stepArrived: (() => void) | undefined
  let settled: Promise<void> = Promise.resolve()

  /** One change of the history at a time. Two steps at once would look like a Back of the user. */
  function enqueue(change: () => void | Promise<void>): Promise<void> {
    settled = settled.then(change)
    return settled
  }

  function stepBack(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const limit = setTimeout(() => {
      if (stepArrived === arrive) stepArrived = undefined
      resolve()
    }, STEP_LIMIT_MS)
    const arrive = () => (clearTimeout(limit), resolve())
    stepArrived = arrive
    moveBack()
    return promise
  }

  /**
   * Leaves the history entries of ours that belong to nothing any more. They were added before a reload, or a page was
   * opened over them.
   */
  async function leaveOrphans(): Promise<void> {
    for (let count = depthNow() - (added.at(-1)?.depth ?? 0); count > 0; count -= 1)
      await stepBack()
  }

  return {
    /** Adds an entry once the history has settled, unless it was removed before. */
    add(entry: BackEntry): Promise<void> {
      wanted.add(entry)
      return enqueue(async () => {
        if (!wanted.has(entry) || added.some((one) => one.entry === entry)) return
        await leaveOrphans()
        const depth = depthNow() + 1
        history.pushState({ ...(history.state as object | null), back_depth: depth }, '')
        added.push({ entry, depth })
      })
    },
    /** Removes an entry that closed in another way. Resolves when the history has settled. */
    remove(entry: BackEntry): Promise<void> {
      wanted.delete(entry)
      return enqueue(() => {
        const index = added.findIndex((one) => one.entry === entry)
        if (index === -1) return
        const { depth } = added[index]!
        added.splice(index, 1)
        for (const above of added.slice(index)) above.depth -= 1
        // A page that was opened meanwhile is on top: a step back would undo that navigation.
        if (depthNow() >= depth) return stepBack()
      })
    },
    /** The history moved: by our own step, by a Back of the user, or to another page. */
    onPopState(): void {
      const ownStep = stepArrived
      stepArrived = undefined
      if (ownStep) return ownStep()
      const depth = depthNow()
      if ((added.at(-1)?.depth ?? 0) < depth) return void enqueue(leaveOrphans)
      while ((added.at(-1)?.depth ?? 0) > depth) {
        const { entry } = added.pop()!
        wanted.delete(entry)
        entry.onBack()
      }
    },
  }
}

export const backEntries = createBackEntries()

/**
 * While `isOpen`, Back calls `onBack` and does not leave the page. A link inside of the open part first awaits the
 * returned function. The history is then settled, and the link can navigate.
 */
export function useBackEntry(isOpen: boolean, onBack: () => void): () => Promise<void> {
  const latest = useRef(onBack)
  const present = useRef<BackEntry>(undefined)
  useEffect(() => {
    latest.current = onBack
  })
  useEffect(() => {
    if (!isOpen) return
    const entry = { onBack: () => latest.current() }
    present.current = entry
    void backEntries.add(entry)
    return () => void backEntries.remove(entry)
  }, [isOpen])
  return useCallback(async () => {
    if (present.current) await backEntries.remove(present.current)
  }, [])
}
