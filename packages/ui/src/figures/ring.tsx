import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { useReducedMotion } from '../use-media-query.ts'

export type RingTone = 'ok' | 'ice' | 'ember' | 'warn' | 'gold' | 'danger' | 'current'

export interface RingProps {
  /** The remaining share, from 1 down to 0, or the reached share, from 0 up to 1. */
  value: number
  tone?: RingTone
  /** Diameter and line in pixels. */
  size?: number
  line?: number
  /** How long the transition to a new value takes, so that a value set once a second moves without a halt. 0 sets it at once. */
  glide_ms?: number
  /** The number or the icon in the middle, for the eye only: in a live region a number would be announced at each change. */
  children?: ReactNode
  /**
   * The value that a screen reader announces at the ring. Without this value the ring is decoration, and the text
   * beside the ring states the value.
   */
  label?: string
  className?: string
}

const strokes: Record<RingTone, string> = {
  ok: 'text-ok',
  ice: 'text-ice',
  ember: 'text-ember-hi',
  warn: 'text-warn',
  gold: 'text-gold',
  danger: 'text-danger',
  current: '',
}

/** The one figure for a countdown or a share. Runs clockwise in every language, and in steps with reduced motion. */
export function Ring(props: RingProps) {
  const {
    value,
    tone = 'ember',
    size = 44,
    line = Math.max(2, size * 0.075),
    glide_ms = 1000,
    children,
    label,
    className,
  } = props
  const still = useReducedMotion()
  const radius = (size - line) / 2
  const around = 2 * Math.PI * radius
  const shown = Math.min(1, Math.max(0, value))
  return (
    <span
      role={label ? 'img' : undefined}
      aria-label={label}
      className={cx('relative inline-flex shrink-0 items-center justify-center', className)}
      style={{ width: size, height: size }}
    >
      <svg
        aria-hidden
        viewBox={`0 0 ${size} ${size}`}
        className={cx('absolute inset-0 -rotate-90', strokes[tone])}
      >
        <circle
          cx={size / 2}
          cy={size / 2}
          r={radius}
          fill="none"
          stroke={tone === 'current' ? 'currentColor' : 'var(--surface-4)'}
          strokeOpacity={tone === 'current' ? 0.25 : 1}
          strokeWidth={line}
        />
        <circle
          className="ring-value"
          cx={size / 2}
          cy={size / 2}
          r={radius}
          fill="none"
          stroke="currentColor"
          strokeWidth={line}
          strokeLinecap="round"
          strokeDasharray={around}
          strokeDashoffset={around * (1 - shown)}
          opacity={shown === 0 ? 0 : 1}
          style={
            still || glide_ms === 0
              ? undefined
              : { transition: `stroke-dashoffset ${glide_ms}ms linear` }
          }
        />
      </svg>
      <span
        aria-hidden
        className="relative font-[600] figures"
        style={{ fontSize: Math.max(11, size * 0.3) }}
      >
        {children}
      </span>
    </span>
  )
}
