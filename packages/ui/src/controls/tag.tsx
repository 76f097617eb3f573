import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'

export type Tone = 'plain' | 'ember' | 'moon' | 'gold' | 'ice' | 'ok' | 'warn' | 'danger'

/** The fill and the hue of each tone. Colour alone never carries the meaning: an icon or a word accompanies it. */
export const toneLook: Record<Tone, string> = {
  plain: 'bg-surface-3 text-text-2',
  ember: 'bg-ember-lo text-ember-hi',
  moon: 'bg-moon-lo text-moon',
  gold: 'bg-gold-lo text-gold',
  ice: 'bg-ice-lo text-ice',
  ok: 'bg-ok-lo text-ok',
  warn: 'bg-warn-lo text-warn',
  danger: 'bg-danger-lo text-danger',
}

export interface TagProps {
  tone?: Tone
  icon?: ReactNode
  size?: 22 | 28
  className?: string
  children: ReactNode
}

/** A state in one or two words. */
export function Tag({ tone = 'plain', icon, size = 22, className, children }: TagProps) {
  return (
    <span
      className={cx(
        'tint inline-flex w-fit shrink-0 items-center gap-1 rounded-tag font-[540]!',
        size === 22 ? 'meta min-h-[22px] px-2' : 'note min-h-7 px-2.5',
        toneLook[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  )
}
