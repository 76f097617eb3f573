import type { ReactNode } from 'react'

/**
 * A row with actions beyond its end. A swipe shows them, and so does the focus of a keyboard. The actions need a second
 * way, for a user who does not swipe.
 */
export function SwipeRow({ children, actions }: { children: ReactNode; actions: ReactNode }) {
  return (
    <div className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain [scrollbar-width:none]">
      <div className="w-full shrink-0 snap-start">{children}</div>
      <div className="flex shrink-0 snap-end items-center gap-1 bg-surface-2 px-2">{actions}</div>
    </div>
  )
}
