import { cx } from '../class-names.ts'

/** The surface of a menu, a list, a popover. */
export const popupLook = cx(
  'origin-(--transform-origin) rounded-menu bg-surface-3 text-text outline-none shadow-[inset_0_0_0_1px_var(--hair-2),var(--elevation-2)]',
  'transition-[scale,opacity] duration-base data-starting-style:scale-[calc(1-.04*var(--move))] data-starting-style:opacity-0',
  'data-ending-style:opacity-0 data-ending-style:duration-[calc(var(--motion-base)*.7)]',
)

/** A row of a menu or a list, 40 high. */
export const rowLook = (danger?: boolean) =>
  cx(
    'ui flex min-h-10 cursor-default items-center gap-3 rounded-control px-3 outline-none select-none pointer-coarse:min-h-11',
    'data-highlighted:bg-surface-4 data-disabled:text-text-3',
    danger ? 'text-danger data-highlighted:text-text' : 'text-text',
  )
