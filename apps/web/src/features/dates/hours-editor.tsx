import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { isRefused } from '@duet/client'
import type { OpenWeek } from '@duet/protocol'
import { Button, Select, Skeleton } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { t } from '../../shared/i18n.ts'
import { useUnsaved } from '../../shared/navigation/unsaved.ts'
import { useLeaveGuard } from '../../shared/navigation/use-leave-guard.ts'
import { showToast } from '../../shared/toasts.ts'
import { ownZone } from './date-times.ts'
import { HoursGrid } from './hours-grid.tsx'
import { countHours, isSameWeek, toCells, toWindows } from './hour-cells.ts'
import { OtherWeek } from './other-week.tsx'
import { useHours } from './time-picker.tsx'

/** A girl's open hours: a week of hours, and the time zone in which they are meant. */
export function HoursEditor() {
  const { data, isError, refetch } = useHours(undefined)
  // A read that fails later takes no choice away that is not saved yet.
  const isMissing = isError && !data
  return (
    <section className="panel flex flex-col gap-4 p-5" aria-labelledby="hours-title">
      <div>
        <h2 id="hours-title" className="title">
          {t('dates.hours_title')}
        </h2>
        <p className="note text-text-2">{t('dates.hours_text')}</p>
      </div>
      {isMissing ? (
        <div role="alert" className="flex flex-col items-start gap-3">
          <p className="body text-text-2">{t('dates.own_hours_failed')}</p>
          <Button onClick={() => void refetch()}>{t('action.retry')}</Button>
        </div>
      ) : data ? (
        <WeekForm stored={data} />
      ) : (
        <Skeleton className="h-[420px] rounded-card!" />
      )}
    </section>
  )
}

function WeekForm({ stored }: { stored: OpenWeek }) {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  /** The stored week that the girl has seen. A save replaces this week, and no other. */
  const [seen, setSeen] = useState(stored)
  const isEmpty = seen.hours.length === 0
  const [zone, setZone] = useState(isEmpty ? ownZone() : seen.zone)
  const [cells, setCells] = useState(() => toCells(seen.hours))
  const isChanged = !isSameWeek(cells, toCells(seen.hours)) || (!isEmpty && zone !== seen.zone)
  const show = (week: OpenWeek) => {
    setSeen(week)
    setZone(week.zone)
    setCells(toCells(week.hours))
  }
  const isOvertaken = stored.version > seen.version
  if (isOvertaken && !isChanged) show(stored)
  useUnsaved(isChanged)
  useLeaveGuard()
  const zones = useMemo(() => listZones(zone), [zone])
  const { busy, press } = usePress(async () => {
    const { version } = seen
    const refresh = () => queries.invalidateQueries({ queryKey: ['dates/hours'] })
    try {
      setSeen(await connection.http.post('dates/hours', { zone, hours: toWindows(cells), version }))
    } catch (error) {
      if (!isRefused(error, 'POST dates/hours', 'changed_elsewhere')) throw error
      // The refreshed week is shown beside the hours that she has chosen.
      return refresh()
    }
    await refresh()
    showToast({ title: t('dates.hours_saved') })
  })
  return (
    <>
      <Select label={t('dates.zone')} options={zones} value={zone} onChange={setZone} />
      <p className="note text-text-3 max-md:hidden">{t('dates.hours_keys')}</p>
      <HoursGrid cells={cells} onChange={setCells} />
      {isOvertaken && (
        <OtherWeek week={stored} onTake={() => show(stored)} onKeep={() => setSeen(stored)} />
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="note text-text-2" role="status">
          {t('dates.hours_sum', { hours: countHours(cells) })}
        </span>
        <Button variant="primary" busy={busy} onClick={() => void press()}>
          {t('dates.hours_save')}
        </Button>
      </div>
    </>
  )
}

function listZones(chosen: string) {
  const zones = new Set([chosen, 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return [...zones].toSorted().map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}
