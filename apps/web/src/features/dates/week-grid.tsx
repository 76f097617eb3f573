import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { cx, IconButton } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import {
  formatClock,
  formatDayName,
  formatDays,
  formatMoment,
  formatWeekdayAndDate,
  toDay,
} from './date-times.ts'
import { hasStart, type Move, moveFrom, type StartWeek } from './weeks.ts'

interface WeekGridProps {
  readonly weeks: readonly StartWeek[]
  readonly zone: string
  /** Her zone, where her clock shows other times than his. */
  readonly herZone: string | undefined
  readonly at: number | undefined
  readonly onChoose: (at: number) => void
}

/**
 * The possible beginnings of a date: a week in columns of days, and rows of times. One beginning is reached by Tab, and the
 * arrow keys move between beginnings.
 */
export function WeekGrid({ weeks, zone, herZone, at, onChoose }: WeekGridProps) {
  const [chosenDay, setDay] = useState<string>()
  const [focused, setFocused] = useState<number>()
  const grid = useRef<HTMLDivElement>(null)
  const keys = useId()
  const index = Math.max(
    0,
    weeks.findLastIndex(({ days }) => chosenDay !== undefined && days[0]! <= chosenDay),
  )
  const week = weeks[index]!
  const show = (place: number) => setDay(weeks[place]!.days[0])
  const entered =
    [focused, at].find((start) => hasStart(week, start)) ?? week.rows[0]!.starts.flat()[0]!
  const move = (event: KeyboardEvent, start: number) => {
    const direction = readMove(event)
    const next = direction && moveFrom(week, start, direction)
    if (direction) event.preventDefault()
    if (next === undefined) return
    setFocused(next)
    grid.current?.querySelector<HTMLElement>(`[data-start="${next}"]`)?.focus()
  }
  return (
    <div className="flex flex-col gap-3">
      <WeekBar
        week={week}
        before={index > 0 ? () => show(index - 1) : undefined}
        after={index < weeks.length - 1 ? () => show(index + 1) : undefined}
      />
      <p id={keys} className="note text-text-3 max-md:hidden">
        {t('dates.week_keys')}
      </p>
      <div
        ref={grid}
        role="group"
        aria-label={t('dates.week', { days: formatDays(week.days[0]!, week.days.at(-1)!) })}
        aria-describedby={keys}
        className="grid max-h-[408px] grid-cols-[auto_repeat(7,minmax(0,1fr))] gap-1 overflow-y-auto p-0.5"
      >
        <span className="sticky -top-0.5 z-1 bg-surface-1" />
        {week.days.map((day) => (
          <DayName key={day} day={day} />
        ))}
        {week.rows.map(({ minute, starts }) => (
          <TimeRow
            key={minute}
            starts={starts}
            {...{ zone, herZone, at, entered, onChoose }}
            onFocus={setFocused}
            onMove={move}
          />
        ))}
      </div>
    </div>
  )
}

const MOVES: Readonly<Record<string, Move>> = {
  ArrowUp: 'earlier',
  ArrowDown: 'later',
  ArrowLeft: 'day before',
  ArrowRight: 'day after',
}
const MIRRORED: Readonly<Record<string, string>> = {
  ArrowLeft: 'ArrowRight',
  ArrowRight: 'ArrowLeft',
}

function readMove({ key, currentTarget }: KeyboardEvent): Move | undefined {
  const isMirrored = getComputedStyle(currentTarget).direction === 'rtl'
  return MOVES[(isMirrored && MIRRORED[key]) || key]
}

interface WeekBarProps {
  readonly week: StartWeek
  readonly before: (() => void) | undefined
  readonly after: (() => void) | undefined
}

function WeekBar({ week: { days }, before, after }: WeekBarProps) {
  return (
    <div className="flex items-center justify-between gap-2">
      <IconButton
        label={t('dates.week_before')}
        icon={<CaretLeftIcon size={20} className="mirror" />}
        disabled={!before}
        onClick={() => before?.()}
      />
      <span className="ui tabular-nums" aria-live="polite">
        {formatDays(days[0]!, days.at(-1)!)}
      </span>
      <IconButton
        label={t('dates.week_after')}
        icon={<CaretRightIcon size={20} className="mirror" />}
        disabled={!after}
        onClick={() => after?.()}
      />
    </div>
  )
}

/** A column of a phone has room for this many. */
const DAY_CHARACTERS_MAX = 4

function DayName({ day }: { day: string }) {
  const { weekday, letter, date } = formatWeekdayAndDate(day)
  // Arabic has no short form: on a phone its first letter stands for the day.
  const isLong = weekday.length > DAY_CHARACTERS_MAX
  return (
    <span className="meta sticky -top-0.5 z-1 flex flex-col items-center bg-surface-1 pb-1 text-text-2">
      <span className={cx('w-full truncate text-center', isLong && 'max-md:hidden')}>
        {weekday}
      </span>
      {isLong ? <span className="md:hidden">{letter}</span> : null}
      <span className="tabular-nums">{date}</span>
    </span>
  )
}

interface TimeRowProps extends Pick<WeekGridProps, 'zone' | 'herZone' | 'at' | 'onChoose'> {
  readonly starts: StartWeek['rows'][number]['starts']
  /** The beginning that Tab reaches. */
  readonly entered: number
  readonly onFocus: (start: number) => void
  readonly onMove: (event: KeyboardEvent, start: number) => void
}

function TimeRow({ starts, zone, herZone, ...row }: TimeRowProps) {
  const first = starts.flat()[0]!
  return (
    <>
      <span className="meta flex flex-col justify-center pe-1 text-end tabular-nums">
        <span className="text-text-2">{formatClock(first, zone)}</span>
        {herZone ? <span className="text-text-3">{formatClock(first, herZone)}</span> : null}
      </span>
      {starts.map((ofDay, day) => (
        <span
          key={ofDay[0] ?? day}
          className="flex min-h-11 gap-px rounded-[8px] bg-surface-2/40 md:min-h-9"
        >
          {ofDay.map((start) => (
            <button
              key={start}
              type="button"
              data-start={start}
              aria-pressed={start === row.at}
              aria-label={nameStart(start, zone, herZone)}
              tabIndex={start === row.entered ? 0 : -1}
              onFocus={() => row.onFocus(start)}
              onKeyDown={(event) => row.onMove(event, start)}
              onClick={() => row.onChoose(start)}
              className={cx(
                'flex min-w-0 flex-1 items-center justify-center rounded-[8px]',
                start === row.at
                  ? 'bg-ember text-on-ember'
                  : 'bg-ember-lo hover:shadow-[inset_0_0_0_2px_var(--ember)]',
              )}
            >
              {start === row.at ? <CheckIcon size={18} weight="bold" /> : null}
            </button>
          ))}
        </span>
      ))}
    </>
  )
}

/** A beginning with its day in both zones: her day may be another one. */
function nameStart(start: number, zone: string, herZone: string | undefined): string {
  const day = formatDayName(toDay(start, zone), 'long')
  const time = formatClock(start, zone)
  return herZone
    ? t('dates.start_at_hers', { day, time, hers: formatMoment(start, herZone) })
    : t('dates.start_at', { day, time })
}
