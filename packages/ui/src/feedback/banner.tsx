import type { ReactNode } from 'react'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { cx } from '../class-names.ts'
import { toneLook, type Tone } from '../controls/tag.tsx'

export interface BannerProps {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
  /** One small button. */
  action?: ReactNode
  close?: { label: string; onPress: () => void }
  className?: string
}

/** One line under the header about the current state. */
export function Banner({ tone = 'warn', icon, children, action, close, className }: BannerProps) {
  return (
    <div
      role="status"
      className={cx(
        'tint flex min-h-11 items-center gap-3 rounded-field px-4 py-1.5',
        toneLook[tone],
        className,
      )}
    >
      {icon}
      <p className="ui min-w-0 flex-1 text-text">{children}</p>
      {action}
      {close ? (
        <button
          type="button"
          aria-label={close.label}
          onClick={close.onPress}
          className="hit inline-flex size-8 shrink-0 items-center justify-center rounded-full text-text-2 hover:text-text"
        >
          <XIcon size={14} weight="bold" />
        </button>
      ) : null}
    </div>
  )
}
