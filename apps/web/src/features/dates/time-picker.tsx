import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Answer, DateMinutes, UserInterlocutor } from '@duet/protocol'
import { Button, Skeleton } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { toDay, formatClock, ownZone, startsWithin } from './date-times.ts'
import { WeekGrid } from './week-grid.tsx'
import { toWeeks } from './weeks.ts'

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

/** Her open hours as a grid of weeks, in his time, with hers beside it. */
export function TimePicker({ person, minutes, nowMs, at, onChoose }: TimePickerProps) {
  const { data, isError, refetch } = useHours(person.id)
  const found = useWeeks(data, minutes, nowMs)
  const { nick } = person
  if (isError && !data)
    return (
      <div role="alert" className="flex flex-col items-start gap-3">
        <p className="body text-text-2">{t('dates.hours_failed')}</p>
        <Button onClick={() => void refetch()}>{t('action.retry')}</Button>
      </div>
    )
  if (!data || !found) return <Skeleton className="h-64 rounded-card!" />
  const { zone, weeks, isSameZone, fitsShorter } = found
  if (weeks.length === 0)
    return (
      <p className="body text-text-2">
        {t(fitsShorter ? 'dates.hours_short' : 'dates.hours_none', { nick })}
      </p>
    )
  return (
    <>
      <p className="note text-text-3">
        {isSameZone
          ? t('dates.zones_same')
          : t('dates.zones', { nick, zone: data.zone.replaceAll('_', ' ') })}
      </p>
      <WeekGrid
        weeks={weeks}
        zone={zone}
        herZone={isSameZone ? undefined : data.zone}
        at={at}
        onChoose={onChoose}
      />
    </>
  )
}

/** The possible beginnings by week. They change with the answer, the length and each quarter of an hour. */
function useWeeks(
  data: Answer<'GET dates/hours'> | undefined,
  minutes: DateMinutes,
  nowMs: number,
) {
  const fromMs = Math.ceil(nowMs / QUARTER_MS) * QUARTER_MS
  return useMemo(() => {
    if (!data) return undefined
    const zone = ownZone()
    const fit = (length: number) =>
      startsWithin(data.open, { minutes: length, nowMs: fromMs, zone: data.zone })
    const starts = fit(minutes)
    return {
      zone,
      weeks: toWeeks(starts, zone, toDay(fromMs, zone)),
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
