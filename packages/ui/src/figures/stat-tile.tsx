import type { ReactNode } from 'react'
import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus'
import { TrendDownIcon } from '@phosphor-icons/react/dist/csr/TrendDown'
import { TrendUpIcon } from '@phosphor-icons/react/dist/csr/TrendUp'
import { cx } from '../class-names.ts'

export interface StatTileProps {
  label: ReactNode
  /** The number, already formatted. */
  value: ReactNode
  /** The change in words, with an arrow. */
  change?: { text: string; trend: 'up' | 'down' | 'level' }
  /** A chart, a ring, a second line. */
  children?: ReactNode
  className?: string
}

const trends = {
  up: { Icon: TrendUpIcon, look: 'text-ok' },
  down: { Icon: TrendDownIcon, look: 'text-danger' },
  level: { Icon: MinusIcon, look: 'text-text-3' },
}

/** One number with its meaning. */
export function StatTile({ label, value, change, children, className }: StatTileProps) {
  const trend = change ? trends[change.trend] : undefined
  return (
    <section className={cx('panel flex min-w-0 flex-col p-5', className)}>
      <h3 className="note text-text-2">{label}</h3>
      <p className="mt-1 text-[1.875rem] leading-9 font-[560] text-text figures">{value}</p>
      {change && trend ? (
        <p className={cx('note mt-1 flex items-center gap-1.5', trend.look)}>
          <trend.Icon size={16} weight="bold" />
          {change.text}
        </p>
      ) : null}
      {children}
    </section>
  )
}
