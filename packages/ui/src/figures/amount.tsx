import { useEffect, useRef } from 'react'
import { cx } from '../class-names.ts'
import { CoinIcon, DiamondIcon, MessageIcon } from '../brand/currency-icons.tsx'

export type AmountKind = 'diamond' | 'coin' | 'message'

export interface AmountProps {
  kind: AmountKind
  /** The formatted number, with its sign if it has one. */
  value: string
  /** The whole amount in words for screen readers: "128 diamonds". */
  label: string
  tone?: 'text' | 'warn' | 'gold' | 'ok' | 'danger' | 'inherit'
  /** Announces a new value politely. For the balance on screen, not for lists. */
  live?: boolean
  size?: 14 | 16 | 18 | 20
  className?: string
}

const icons = { diamond: DiamondIcon, coin: CoinIcon, message: MessageIcon }
const tones = {
  text: 'text-text',
  warn: 'text-warn',
  gold: 'text-gold',
  ok: 'text-ok',
  danger: 'text-danger',
  inherit: '',
}

/** An icon and a number. Changed digits roll in. The other digits do not move. */
export function Amount({
  kind,
  value,
  label,
  tone = 'inherit',
  live,
  size = 16,
  className,
}: AmountProps) {
  const Icon = icons[kind]
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 whitespace-nowrap figures',
        tones[tone],
        className,
      )}
    >
      <span className="sr-only" aria-live={live ? 'polite' : undefined}>
        {label}
      </span>
      <Icon size={size} />
      <RollingNumber value={value} />
    </span>
  )
}

/** Left to right in every language and hidden from screen readers: a text beside it carries the value in words. */
export function RollingNumber({ value, className }: { value: string; className?: string }) {
  const settled = useRef(false)
  useEffect(() => {
    settled.current = true
  }, [])
  const signs = [...value]
  return (
    <span aria-hidden dir="ltr" className={cx('inline-flex overflow-hidden figures', className)}>
      {signs.map((sign, index) => {
        const place = signs.length - index
        return (
          <span
            key={`${place}${sign}`}
            className={cx('whitespace-pre', settled.current && 'roll-in')}
          >
            {sign}
          </span>
        )
      })}
    </span>
  )
}
