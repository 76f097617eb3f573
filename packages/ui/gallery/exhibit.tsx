import type { ReactNode } from 'react'
import { cx } from '../src/class-names.ts'

/** One titled group of samples. */
export function Exhibit({
  title,
  className,
  children,
}: {
  title: string
  className?: string
  children: ReactNode
}) {
  return (
    <section className="mb-10 min-w-0 break-inside-avoid">
      <h2 className="note mb-3 font-[600]! text-text-3">{title}</h2>
      <div className={cx('flex flex-wrap items-center gap-3', className)}>{children}</div>
    </section>
  )
}
