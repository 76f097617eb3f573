import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { Thread } from '../state/messages.ts'
import type { ThreadItem } from './thread-items.ts'

/** A reader who is this close to the newest message follows it. */
const AT_END_PX = 80

export interface ScrollPlace {
  readonly offset: number
  readonly scrollSize: number
  readonly viewportSize: number
}

/** Whether the viewer is at the newest message, or so close to it that the thread follows newer messages. */
export function isAtNewest({ offset, scrollSize, viewportSize }: ScrollPlace): boolean {
  return scrollSize - offset - viewportSize <= AT_END_PX
}

/** The newest own row. When the row changes, the user has just written, and the thread scrolls to the row. */
export function lastOwnKey(items: readonly ThreadItem[]): string | undefined {
  return items.findLast(
    (item) =>
      item.kind === 'unsent' || item.kind === 'upload' || (item.kind === 'message' && item.is_own),
  )?.key
}

/**
 * While the viewer is at the end, follows the newest message. While older messages are added above, keeps the place.
 */
export function useThreadScroll(
  thread: Thread,
  items: readonly ThreadItem[],
  typingUntilMs: number,
) {
  const list = useRef<VirtualizerHandle>(null)
  const log = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const isFollowing = useRef(true)
  const shownPages = useRef(thread.older_pages)
  const shifts = shownPages.current !== thread.older_pages
  const lastKey = items.at(-1)?.key
  const lastOwn = lastOwnKey(items)
  const count = items.length
  const scrollToEnd = useCallback(() => {
    list.current?.scrollToIndex(count - 1, { align: 'end' })
  }, [count])
  useLayoutEffect(() => {
    shownPages.current = thread.older_pages
  }, [thread.older_pages])
  useLayoutEffect(() => {
    isFollowing.current = true
  }, [lastOwn])
  useLayoutEffect(() => {
    if (isFollowing.current) scrollToEnd()
  }, [lastKey, scrollToEnd, typingUntilMs])
  useEffect(() => followSize(log.current, isFollowing), [])
  const onScroll = (offset: number) => {
    const { scrollSize, viewportSize } = list.current ?? { scrollSize: 0, viewportSize: 0 }
    const atEnd = isAtNewest({ offset, scrollSize, viewportSize })
    isFollowing.current = atEnd
    setAtEnd(atEnd)
  }
  return { list, log, isAtEnd, shifts, scrollToEnd, onScroll }
}

/**
 * A keyboard on the screen, a growing composer or a smaller window must not cover the newest message, and neither
 * must translations that arrive.
 */
function followSize(log: HTMLElement | null, isFollowing: { readonly current: boolean }) {
  if (!log) return
  const observer = new ResizeObserver(() => {
    if (isFollowing.current) log.scrollTop = log.scrollHeight
  })
  for (const element of [log, ...log.children]) observer.observe(element)
  return () => observer.disconnect()
}
