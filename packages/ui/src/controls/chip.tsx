import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../class-names.ts'

export type ChipProps = ComponentProps<'button'> & {
  /** Undefined for a chip with an action; set for a chip that can be selected. */
  selected?: boolean
  icon?: ReactNode
}

/** A small choice or a quick phrase. The selected chip is inverted. */
export function Chip({ selected, icon, className, children, type = 'button', ...rest }: ChipProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-pressed={selected}
      className={cx(
        'hit note inline-flex min-h-8 shrink-0 items-center gap-1.5 rounded-full px-3.5 font-[520]! whitespace-nowrap select-none',
        'transition-transform active:scale-(--press-scale) disabled:pointer-events-none disabled:text-text-3',
        selected
          ? 'bg-text text-bg'
          : 'bg-surface-2 text-text shadow-[inset_0_0_0_1px_var(--hair-2)] hover:bg-surface-3',
        className,
      )}
    >
      {icon}
      {children}
    </button>
  )
}

/**
 * A row of chips that scrolls under a fading edge and never wraps. If the chips are one choice, the row needs a name.
 */
export function ChipRow({
  label,
  className,
  children,
}: {
  label?: string
  className?: string
  children: ReactNode
}) {
  return (
    <div
      role={label ? 'group' : undefined}
      aria-label={label}
      className={cx('edge-fade flex gap-2 py-1.5', className)}
    >
      {children}
    </div>
  )
}
