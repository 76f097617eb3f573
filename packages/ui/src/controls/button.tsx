import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { buttonLook, type ButtonLook } from './button-look.ts'
import { Spinner } from './spinner.tsx'

export type ButtonProps = Omit<ComponentProps<'button'>, 'size'> &
  ButtonLook & {
    /** Shown before the label; a spinner replaces it while busy. */
    icon?: ReactNode
    /** Shown after the label: an arrow, a ring, a caret. */
    end?: ReactNode
    /** The label stays, presses are ignored, the width does not change. */
    busy?: boolean
  }

/**
 * A pill with a word. A screen has one `primary`. `gold` is for money only. If the button is disabled, a text beside it
 * explains why.
 */
export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    wide,
    disabled,
    icon,
    end,
    busy,
    className,
    children,
    type = 'button',
    onClick,
    ...rest
  } = props
  const spinning = busy ? <Spinner size="var(--spin)" /> : null
  // Without an icon the spinner takes its space from both paddings.
  const padding =
    busy && !icon ? 'px-[calc(var(--pad)-(var(--spin)+var(--spin-gap))/2)]!' : undefined
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={cx(
        buttonLook({ variant, size, wide, disabled: Boolean(disabled) }),
        padding,
        className,
      )}
    >
      {spinning ?? icon}
      <span className="min-w-0 text-balance">{children}</span>
      {end}
    </button>
  )
}
