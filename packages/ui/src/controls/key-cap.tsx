import type { ReactNode } from 'react'

/** The key with the same effect: Enter, Esc. */
export function KeyCap({ children }: { children: ReactNode }) {
  return (
    <kbd className="micro inline-flex min-h-5 min-w-5 items-center justify-center whitespace-nowrap rounded-[6px] bg-surface-2 px-1.5 font-sans text-text-2 shadow-[inset_0_0_0_1px_var(--hair-2)]">
      {children}
    </kbd>
  )
}
