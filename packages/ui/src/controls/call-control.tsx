import { use, type ComponentProps, type ReactNode } from 'react'
import { Toolbar as BaseToolbar } from '@base-ui/react/toolbar'
import { cx } from '../class-names.ts'
import { InToolbarContext } from './toolbar.tsx'

export type CallControlProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  /** For screen readers: the action, "Mute the microphone". It stays the same while `off` is announced as pressed. */
  label: string
  icon: ReactNode
  /** The crossed icon, shown while `off`. */
  offIcon?: ReactNode
  /** Undefined for a control without a state. True inverts the control and is announced as pressed. */
  off?: boolean
  tone?: 'plain' | 'gift' | 'end' | 'next'
  /** A visible word, which turns the circle into a pill. */
  text?: ReactNode
}

const tones = {
  plain: 'bg-hair-2 text-text hover:bg-surface-4',
  gift: 'bg-gold-lo text-gold hover:brightness-125',
  end: 'bg-danger-solid text-on-danger hover:brightness-110',
  next: 'bg-text text-bg hover:brightness-95',
}

/** A round control on the edge of a video: 56 px on desktop, 64 on mobile. Within a `Toolbar` the arrow keys reach it. */
export function CallControl(props: CallControlProps) {
  const {
    label,
    icon,
    offIcon,
    off,
    tone = 'plain',
    text,
    className,
    type = 'button',
    ...rest
  } = props
  const Element = use(InToolbarContext) ? BaseToolbar.Button : 'button'
  return (
    <Element
      {...rest}
      type={type}
      aria-label={text ? undefined : label}
      aria-pressed={off}
      className={cx(
        'inline-flex h-16 min-w-16 shrink-0 items-center justify-center gap-2.5 rounded-full select-none md:h-14 md:min-w-14',
        'transition-transform duration-quick active:scale-(--press-scale) disabled:pointer-events-none disabled:opacity-40 data-disabled:pointer-events-none data-disabled:opacity-40',
        text ? 'ui px-6 text-[1rem]! font-[560]!' : undefined,
        off ? 'bg-text text-bg hover:brightness-95' : tones[tone],
        className,
      )}
    >
      {tone === 'next' ? null : off ? (offIcon ?? icon) : icon}
      {text}
      {tone === 'next' ? icon : null}
    </Element>
  )
}
