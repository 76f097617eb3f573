import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { DateMinutes, UserInterlocutor } from '@duet/protocol'
import { Button, Chip, cx, Skeleton } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { dayOf, formatClock, formatDayName, ownZone, startsWithin } from './date-times.ts'

/** Another guy may take an open time. */
const REFRESH_MS = 60_000

/** Her open hours, read again while the page shows them. */
export function useHours(user_id: number | undefined) {
  const { connection } = useAppServices()
  return useQuery({
    queryKey: ['dates/hours', user_id ?? 'own'],
    queryFn: () => connection.http.get('dates/hours', user_id === undefined ? {} : { user_id }),
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
  const { nick } = person
  if (isError)
    return (
      <div role="alert" className="flex flex-col items-start gap-3">
        <p className="body text-text-2">{t('dates.hours_failed')}</p>
        <Button onClick={() => void refetch()}>{t('action.retry')}</Button>
      </div>
    )
  if (!data) return <Skeleton className="h-64 rounded-card!" />
  const zone = ownZone()
  const starts = startsWithin(data.open, minutes, nowMs)
  const byDay = Map.groupBy(starts, (start) => dayOf(start, zone))
  if (byDay.size === 0) return <p className="body text-text-2">{t('dates.hours_none', { nick })}</p>
  const days = [...byDay.keys()]
  const day = chosenDay !== undefined && byDay.has(chosenDay) ? chosenDay : days[0]!
  const isSameZone = starts.every((start) => isSameClock(start, zone, data.zone))
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
        {days.map((one) => (
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

function isSameClock(start: number, zone: string, herZone: string): boolean {
  return (
    formatClock(start, zone) === formatClock(start, herZone) &&
    dayOf(start, zone) === dayOf(start, herZone)
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
