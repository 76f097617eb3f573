import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Answer, DateMinutes, UserInterlocutor } from '@duet/protocol'
import { Button, Chip, cx, Skeleton } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { toDay, formatClock, formatDayName, ownZone, startsWithin } from './date-times.ts'

/** Another guy may take an open time. */
const REFRESH_MS = 60_000
/** The minutes of the shortest date. */
const SHORTEST = 15
/** Half hours of her clock begin at quarters of an hour in his. */
const QUARTER_MS = 15 * 60_000

/** Her open hours, read again while the page shows them. */
export function useHours(user_id: number | undefined, enabled = true) {
  const { connection } = useAppServices()
  return useQuery({
    queryKey: ['dates/hours', user_id ?? 'own'],
    queryFn: () => connection.http.get('dates/hours', user_id === undefined ? {} : { user_id }),
    enabled,
    refetchOnMount: 'always',
    refetchInterval: user_id === undefined ? false : REFRESH_MS,
  })
}

interface TimePickerProps {
  readonly person: UserInterlocutor
  readonly minutes: DateMinutes
  readonly nowMs: number
  readonly at: number | undefined
  readonly onChoose: (at: number) => void
}

/** Her open hours by day, in his time, with hers beside it. */
export function TimePicker({ person, minutes, nowMs, at, onChoose }: TimePickerProps) {
  const { data, isError, refetch } = useHours(person.id)
  const [chosenDay, setDay] = useState<string>()
  const days = useDays(data, minutes, nowMs)
  const { nick } = person
  if (isError)
    return (
      <div role="alert" className="flex flex-col items-start gap-3">
        <p className="body text-text-2">{t('dates.hours_failed')}</p>
        <Button onClick={() => void refetch()}>{t('action.retry')}</Button>
      </div>
    )
  if (!data || !days) return <Skeleton className="h-64 rounded-card!" />
  const { zone, byDay, isSameZone, fitsShorter } = days
  if (byDay.size === 0)
    return (
      <p className="body text-text-2">
        {t(fitsShorter ? 'dates.hours_short' : 'dates.hours_none', { nick })}
      </p>
    )
  const names = [...byDay.keys()]
  const day = chosenDay !== undefined && byDay.has(chosenDay) ? chosenDay : names[0]!
  return (
    <>
      <p className="note text-text-3">
        {isSameZone
          ? t('dates.zones_same')
          : t('dates.zones', { nick, zone: data.zone.replaceAll('_', ' ') })}
      </p>
      <div
        role="group"
        aria-label={t('dates.day')}
        className="flex gap-2 overflow-x-auto pb-1 [&>*]:shrink-0"
      >
        {names.map((one) => (
          <Chip key={one} aria-pressed={one === day} onClick={() => setDay(one)}>
            {formatDayName(one)}
          </Chip>
        ))}
      </div>
      <div
        role="group"
        aria-label={`${t('dates.time')}, ${formatDayName(day, 'long')}`}
        className="grid max-h-[336px] grid-cols-[repeat(auto-fill,minmax(84px,1fr))] gap-2 overflow-y-auto p-0.5"
      >
        {byDay.get(day)!.map((start) => (
          <TimeButton
            key={start}
            start={start}
            zone={zone}
            herZone={isSameZone ? undefined : data.zone}
            isChosen={start === at}
            onChoose={onChoose}
          />
        ))}
      </div>
    </>
  )
}

/** The possible beginnings by his day. They change with the answer, the length and each quarter of an hour. */
function useDays(data: Answer<'GET dates/hours'> | undefined, minutes: DateMinutes, nowMs: number) {
  const fromMs = Math.ceil(nowMs / QUARTER_MS) * QUARTER_MS
  return useMemo(() => {
    if (!data) return undefined
    const zone = ownZone()
    const fit = (length: number) =>
      startsWithin(data.open, { minutes: length, nowMs: fromMs, zone: data.zone })
    const starts = fit(minutes)
    return {
      zone,
      byDay: Map.groupBy(starts, (start) => toDay(start, zone)),
      isSameZone: starts.every((start) => isSameClock(start, zone, data.zone)),
      fitsShorter: fit(SHORTEST).length > 0,
    }
  }, [data, minutes, fromMs])
}

function isSameClock(start: number, zone: string, herZone: string): boolean {
  return (
    formatClock(start, zone) === formatClock(start, herZone) &&
    toDay(start, zone) === toDay(start, herZone)
  )
}

function TimeButton({
  start,
  zone,
  herZone,
  isChosen,
  onChoose,
}: {
  start: number
  zone: string
  herZone: string | undefined
  isChosen: boolean
  onChoose: (at: number) => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onChoose(start)}
      className={cx(
        'flex min-h-12 flex-col items-center justify-center rounded-field bg-surface-2 px-2 py-1 hover:bg-surface-3',
        isChosen && 'bg-ember! text-on-ember!',
      )}
    >
      <span className="ui tabular-nums">{formatClock(start, zone)}</span>
      {herZone ? (
        <span className={cx('meta tabular-nums', isChosen ? 'opacity-80' : 'text-text-3')}>
          {formatClock(start, herZone)}
        </span>
      ) : null}
    </button>
  )
}
