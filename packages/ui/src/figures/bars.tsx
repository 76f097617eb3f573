import { useState, type KeyboardEvent } from 'react'
import { cx } from '../class-names.ts'

export interface BarSeries {
  name: string
  tone: 'ember' | 'moon' | 'gold'
}
export interface Bar {
  /** The hour or the day, as shown on the axis. */
  label: string
  /** One number for each series, in the same order. Each number sets the height of its part. */
  parts: number[]
  /** The whole bar in words, for screen readers and for the line above the chart. */
  text: string
}

export interface BarsProps {
  /** The chart's name: "Coins by hour". */
  label: string
  series: BarSeries[]
  /** 24 at most, oldest first; time runs left to right in every language. */
  bars: Bar[]
  /** Shows every n-th label of the axis. */
  every?: number
  height?: number
  className?: string
}

const fills = { ember: 'fill-ember', moon: 'fill-moon', gold: 'fill-gold' }
const GAP = 2

/** Stacked bars. Arrow keys move from bar to bar. A hidden table has the same figures. */
export function Bars({ label, series, bars, every = 4, height = 180, className }: BarsProps) {
  const [at, setAt] = useState<number | null>(null)
  const shown = bars.slice(-24)
  const most = Math.max(1, ...shown.map((bar) => bar.parts.reduce((sum, part) => sum + part, 0)))
  const step = (event: KeyboardEvent) => {
    const way = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (way === 0) return
    event.preventDefault()
    setAt((now) =>
      Math.min(shown.length - 1, Math.max(0, (now ?? (way > 0 ? -1 : shown.length)) + way)),
    )
  }
  return (
    <figure className={cx('min-w-0', className)}>
      <figcaption className="note mb-2 flex min-h-5 flex-wrap items-center gap-x-4 gap-y-1 text-text-2">
        {at === null
          ? series.map((one) => (
              <span key={one.name} className="inline-flex items-center gap-1.5">
                <svg aria-hidden width="8" height="8">
                  <rect width="8" height="8" rx="2.5" className={fills[one.tone]} />
                </svg>
                {one.name}
              </span>
            ))
          : shown[at]?.text}
      </figcaption>
      <div
        dir="ltr"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={shown.length}
        aria-valuenow={(at ?? shown.length - 1) + 1}
        aria-valuetext={shown[at ?? shown.length - 1]?.text}
        onKeyDown={step}
        onBlur={() => setAt(null)}
        onPointerLeave={() => setAt(null)}
        className="flex items-end gap-[3px] rounded-control md:gap-1.5"
      >
        {shown.map((bar, index) => (
          <div
            key={bar.label + index}
            className="min-w-0 flex-1"
            onPointerEnter={() => setAt(index)}
          >
            <Stack
              bar={bar}
              series={series}
              most={most}
              height={height}
              dim={at !== null && at !== index}
            />
            <span
              aria-hidden
              className="meta mt-2 block h-4 text-center whitespace-nowrap text-text-3"
            >
              {index % every === 0 ? bar.label : ''}
            </span>
          </div>
        ))}
      </div>
      <HiddenTable label={label} bars={shown} />
    </figure>
  )
}

/** The same values for screen readers, which can read a table in any order. */
function HiddenTable({ label, bars }: { label: string; bars: Bar[] }) {
  return (
    <table className="sr-only">
      <caption>{label}</caption>
      <tbody>
        {bars.map((bar, index) => (
          <tr key={bar.label + index}>
            <th scope="row">{bar.label}</th>
            <td>{bar.text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Stack(props: {
  bar: Bar
  series: BarSeries[]
  most: number
  height: number
  dim: boolean
}) {
  const { bar, series, most, height, dim } = props
  const tops = bar.parts.map((_, index) =>
    bar.parts.slice(0, index + 1).reduce((sum, part) => sum + part, 0),
  )
  const empty = (tops.at(-1) ?? 0) === 0
  return (
    <svg aria-hidden width="100%" height={height} className={cx('block', dim && 'opacity-50')}>
      {empty ? (
        <rect width="100%" height={3} y={height - 3} rx={1.5} className="fill-surface-3" />
      ) : null}
      {bar.parts.map((part, index) => {
        const tall = Math.max(3, (part / most) * (height - GAP * bar.parts.length))
        const y =
          height - ((tops[index] ?? 0) / most) * (height - GAP * bar.parts.length) - GAP * index
        const tone = series[index]?.tone
        if (part === 0 || !tone) return null
        return (
          <rect
            key={tone}
            width="100%"
            y={Math.max(0, y)}
            height={tall}
            rx={Math.min(7, tall / 2)}
            className={fills[tone]}
          />
        )
      })}
    </svg>
  )
}
