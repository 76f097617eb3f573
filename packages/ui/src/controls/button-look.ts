import { cx } from '../class-names.ts'

export type ButtonVariant =
  | 'primary'
  | 'secondary'
  | 'quiet'
  | 'outline'
  | 'gold'
  | 'danger'
  | 'danger-quiet'
  | 'glass'
/** Height in CSS pixels. */
export type ButtonSize = 30 | 36 | 44 | 54 | 62

const variants: Record<ButtonVariant, string> = {
  primary:
    'ember-fill on-ember hover:brightness-[1.04] hover:not-active:-translate-y-[calc(1px*var(--move))] active:brightness-95',
  secondary: 'bg-surface-3 text-text shadow-[inset_0_0_0_1px_var(--hair)] hover:bg-surface-4',
  quiet: 'text-text hover:bg-surface-2 active:bg-surface-3',
  outline: 'text-text shadow-[inset_0_0_0_1px_var(--hair-2)] hover:bg-surface-2',
  gold: 'bg-gold text-on-gold hover:brightness-[1.06] active:brightness-95',
  danger: 'bg-danger-solid text-on-danger hover:brightness-110 active:brightness-95',
  'danger-quiet': 'bg-danger-lo text-danger hover:brightness-110 active:brightness-95',
  glass: 'glass text-text hover:brightness-125',
}

const sizes: Record<ButtonSize, string> = {
  30: 'min-h-[30px] gap-1.5 meta [--pad:12px] [--spin:12px] [--spin-gap:6px]',
  36: 'min-h-9 gap-1.5 note [--pad:16px] [--spin:14px] [--spin-gap:6px]',
  44: 'min-h-11 gap-2 ui [--pad:20px] [--spin:16px] [--spin-gap:8px]',
  54: 'min-h-[54px] gap-2.5 text-[calc(16rem/16)] leading-[1.3] [--pad:26px] [--spin:18px] [--spin-gap:10px]',
  62: 'min-h-[62px] gap-3 text-[calc(17rem/16)] leading-[1.3] [--pad:28px] [--spin:20px] [--spin-gap:12px]',
}

export interface ButtonLook {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Takes the full width. */
  wide?: boolean
  disabled?: boolean
}

/** The classes of a button, for a link that looks like one: `<Link className={buttonLook({ variant: 'primary' })} />`. */
export function buttonLook({
  variant = 'secondary',
  size = 44,
  wide,
  disabled,
}: ButtonLook = {}): string {
  return cx(
    'hit inline-flex max-w-full [&>svg]:shrink-0 items-center justify-center rounded-full py-1 text-center font-[560]! select-none',
    'px-(--pad) transition-transform duration-quick active:scale-(--press-scale)',
    sizes[size],
    disabled ? 'pointer-events-none bg-surface-3 text-text-3' : variants[variant],
    wide && 'w-full',
  )
}
