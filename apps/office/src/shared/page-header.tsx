import type { ReactNode } from 'react'

/** The bar above a page: its name, and what belongs beside it. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="flex h-14 shrink-0 items-center gap-3 border-b border-hair px-4">
      <h1 className="text-[calc(16rem/16)] font-semibold">{title}</h1>
      {children}
    </header>
  )
}
