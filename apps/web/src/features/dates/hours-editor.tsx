import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { OpenHours } from '@duet/protocol'
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
import { useHours } from './time-picker.tsx'

interface StoredWeek {
  readonly zone: string
  readonly hours: readonly OpenHours[]
}

/** A girl's open hours: a week of hours, and the time zone in which they are meant. */
export function HoursEditor() {
  const { data, isError, refetch } = useHours(undefined)
  return (
    <section className="panel flex flex-col gap-4 p-5" aria-labelledby="hours-title">
      <div>
        <h2 id="hours-title" className="title">
          {t('dates.hours_title')}
        </h2>
        <p className="note text-text-2">{t('dates.hours_text')}</p>
      </div>
      {isError ? (
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

function WeekForm({ stored }: { stored: StoredWeek }) {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const isEmpty = stored.hours.length === 0
  const [zone, setZone] = useState(isEmpty ? ownZone() : stored.zone)
  const [cells, setCells] = useState(() => toCells(stored.hours))
  const isChanged = !isSameWeek(cells, toCells(stored.hours)) || (!isEmpty && zone !== stored.zone)
  useUnsaved(isChanged)
  useLeaveGuard()
  const zones = useMemo(() => listZones(zone), [zone])
  const { busy, press } = usePress(async () => {
    await connection.http.post('dates/hours', { zone, hours: toWindows(cells) })
    await queries.invalidateQueries({ queryKey: ['dates/hours'] })
    showToast({ title: t('dates.hours_saved') })
  })
  return (
    <>
      <Select label={t('dates.zone')} options={zones} value={zone} onChange={setZone} />
      <p className="note text-text-3 max-md:hidden">{t('dates.hours_keys')}</p>
      <HoursGrid cells={cells} onChange={setCells} />
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
