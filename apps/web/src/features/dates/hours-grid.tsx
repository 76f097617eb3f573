import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { cx } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { formatClock, formatHour, formatWeekday } from './date-times.ts'
import {
  toCell,
  HOURS,
  type HourCells,
  type HourPart,
  isWhole,
  WEEKDAYS,
  withCell,
} from './hour-cells.ts'

interface HoursGridProps {
  readonly cells: HourCells
  readonly onChange: (change: (cells: HourCells) => HourCells) => void
}

const STEPS: Readonly<Record<string, readonly [days: number, hours: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}
const HOURS_OF_DAY = Array.from({ length: HOURS }, (_, hour) => hour)

/**
 * A week of hours to switch. An hour that is open in part is switched to the whole hour. A mouse paints by dragging; a finger presses single hours, because dragging scrolls the page.
 * One cell is reached by Tab, and the arrow keys move between cells.
 */
export function HoursGrid({ cells, onChange }: HoursGridProps) {
  const [focused, setFocused] = useState(toCell(1, 18))
  const painting = useRef<boolean>(undefined)
  const hasMousePainted = useRef(false)
  const grid = useRef<HTMLDivElement>(null)
  const paint = (cell: number, on: boolean) => onChange((now) => withCell(now, cell, on))
  const move = (event: KeyboardEvent, weekday: number, hour: number) => {
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl'
    const nextDay = weekday + (isMirrored ? -step[0] : step[0])
    const nextHour = hour + step[1]
    if (nextDay < 1 || nextDay > 7 || nextHour < 0 || nextHour >= HOURS) return
    const cell = toCell(nextDay, nextHour)
    setFocused(cell)
    grid.current?.querySelector<HTMLElement>(`[data-cell="${cell}"]`)?.focus()
  }
  return (
    <div
      ref={grid}
      role="group"
      aria-label={t('dates.hours_title')}
      onPointerLeave={() => (painting.current = undefined)}
      onPointerUp={() => (painting.current = undefined)}
      className="grid grid-cols-[auto_repeat(7,minmax(0,1fr))] gap-1 select-none"
    >
      <span />
      {WEEKDAYS.map((weekday) => (
        <span key={weekday} className="meta truncate text-center text-text-2">
          {formatWeekday(weekday)}
        </span>
      ))}
      {HOURS_OF_DAY.map((hour) => (
        <HourRow
          key={hour}
          hour={hour}
          cells={cells}
          focused={focused}
          onMove={move}
          onFocus={setFocused}
          // A press of the mouse has painted already. A click names its pointer only in newer browsers.
          onPress={(cell, isKeyboard) => {
            if (isKeyboard || !hasMousePainted.current) paint(cell, !isWhole(cells.get(cell)))
          }}
          onPaintBegin={(event, cell) => {
            hasMousePainted.current = event.pointerType === 'mouse' && event.button === 0
            if (!hasMousePainted.current) return
            painting.current = !isWhole(cells.get(cell))
            paint(cell, painting.current)
          }}
          onPaint={(cell) => {
            if (painting.current !== undefined) paint(cell, painting.current)
          }}
        />
      ))}
    </div>
  )
}

interface HourRowProps {
  readonly hour: number
  readonly cells: HourCells
  readonly focused: number
  readonly onMove: (event: KeyboardEvent, weekday: number, hour: number) => void
  readonly onFocus: (cell: number) => void
  readonly onPress: (cell: number, isKeyboard: boolean) => void
  readonly onPaintBegin: (event: PointerEvent, cell: number) => void
  readonly onPaint: (cell: number) => void
}

function HourRow({ hour, cells, focused, onMove, onFocus, onPress, ...painting }: HourRowProps) {
  return (
    <>
      <span className="meta pe-1 text-end text-text-3 tabular-nums">{formatHour(hour)}</span>
      {WEEKDAYS.map((weekday) => {
        const cell = toCell(weekday, hour)
        const parts = cells.get(cell)
        const isOn = isWhole(parts)
        return (
          <button
            key={weekday}
            type="button"
            data-cell={cell}
            aria-pressed={parts && !isOn ? 'mixed' : isOn}
            aria-label={nameCell(weekday, hour, parts)}
            tabIndex={cell === focused ? 0 : -1}
            onFocus={() => onFocus(cell)}
            onKeyDown={(event) => onMove(event, weekday, hour)}
            onPointerDown={(event) => painting.onPaintBegin(event, cell)}
            onPointerEnter={() => painting.onPaint(cell)}
            // `detail` is 0 for the keyboard.
            onClick={(event) => onPress(cell, event.detail === 0)}
            className={cx(
              'relative h-8 overflow-hidden rounded-[6px] md:h-6',
              isOn ? 'bg-ember hover:bg-ember-hi' : 'bg-surface-2 hover:bg-surface-3',
            )}
          >
            {isOn ? null : parts?.map((part) => <OpenPart key={part.from} part={part} />)}
          </button>
        )
      })}
    </>
  )
}

/** The later a part begins, the lower it is in its hour. */
function OpenPart({ part: { from, until } }: { part: HourPart }) {
  const style = { top: `${(from / 60) * 100}%`, height: `${((until - from) / 60) * 100}%` }
  return <span aria-hidden className="absolute inset-x-0 bg-ember" style={style} />
}

const MINUTE_MS = 60_000

/** The day and the hour, or the parts of the hour that are open. */
function nameCell(weekday: number, hour: number, parts: readonly HourPart[] | undefined): string {
  const day = formatWeekday(weekday, 'long')
  if (!parts || isWhole(parts))
    return t('dates.hours_cell', { day, from: formatHour(hour), until: formatHour(hour + 1) })
  const clock = (minute: number) => formatClock((hour * 60 + minute) * MINUTE_MS, 'UTC')
  return parts
    .map(({ from, until }) =>
      t('dates.hours_cell', { day, from: clock(from), until: clock(until) }),
    )
    .join('; ')
}
