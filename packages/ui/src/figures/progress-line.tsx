import { cx } from '../class-names.ts'

export interface ProgressLineProps {
  /** The progress, from 0 to 1. */
  value: number
  /** The measured value in words: "3 h 12 min of 4 h". */
  label: string
  tone?: 'ok' | 'ember' | 'gold' | 'moon' | 'warn' | 'danger'
  className?: string
}

const fills = {
  ok: 'bg-ok',
  ember: 'bg-ember',
  gold: 'bg-gold',
  moon: 'bg-moon',
  warn: 'bg-warn',
  danger: 'bg-danger',
}

/** A progress line. The numbers are in a text beside it. */
export function ProgressLine({ value, label, tone = 'ok', className }: ProgressLineProps) {
  const share = Math.min(1, Math.max(0, value))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={label}
      className={cx('h-2 w-full overflow-hidden rounded-full bg-surface-4', className)}
    >
      <div
        className={cx('progress-fill h-full rounded-full', fills[tone])}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}
