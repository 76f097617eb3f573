import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { buttonLook, type ButtonSize, type ButtonVariant } from './button-look.ts'
import { Spinner } from './spinner.tsx'

export type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  /** The name for screen readers. */
  label: string
  icon: ReactNode
  variant?: ButtonVariant
  size?: ButtonSize
  busy?: boolean
}

/** A round button with an icon and a spoken name. */
export function IconButton(props: IconButtonProps) {
  const {
    label,
    icon,
    variant = 'outline',
    size = 44,
    busy,
    disabled,
    className,
    type = 'button',
    onClick,
    ...rest
  } = props
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      aria-label={label}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={cx(
        buttonLook({ variant, size, disabled: Boolean(disabled) }),
        'shrink-0 p-0!',
        className,
      )}
      style={{ width: size, height: size, ...rest.style }}
    >
      {busy ? <Spinner size={16} /> : icon}
    </button>
  )
}
