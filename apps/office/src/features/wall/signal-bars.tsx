import type { WallNetwork } from '@duet/protocol'
import { cx } from '@duet/ui/class-names.ts'
import { t } from '../../shared/texts.ts'

/** A direction has three bars from the first mean opinion score on, and two from the second. */
const GOOD_SCORE = 4
const FAIR_SCORE = 3.1

/** Undefined: the page has sent no report lately. */
function countBars({ weak, score }: WallNetwork): 1 | 2 | 3 | undefined {
  if (weak) return 1
  if (score === null) return undefined
  if (score >= GOOD_SCORE) return 3
  return score >= FAIR_SCORE ? 2 : 1
}

const TONES = { 1: 'fill-danger', 2: 'fill-warn', 3: 'fill-ok' }

/** The network of one person of a session as bars. */
export function SignalBars({ name, network }: { name: string; network: WallNetwork }) {
  const bars = countBars(network)
  const state = bars === undefined ? 'none' : String(bars)
  return (
    <svg
      role="img"
      aria-label={t('office.wall.signal', { name, state })}
      viewBox="0 0 16 14"
      className="h-[14px] w-4 shrink-0 rtl:-scale-x-100"
    >
      {[1, 2, 3].map((bar) => (
        <rect
          key={bar}
          x={(bar - 1) * 6}
          y={14 - bar * 4.5}
          width="4"
          height={bar * 4.5}
          rx="1"
          className={cx(bars !== undefined && bar <= bars ? TONES[bars] : 'fill-surface-4')}
        />
      ))}
    </svg>
  )
}
