import { DateField } from '@duet/ui/fields/date-field.tsx'
import { t } from '../texts.ts'
import { startOfDay } from '../times.ts'
import type { useFilters } from '../use-filters.ts'

type Filters = ReturnType<typeof useFilters>

/** The part of a query that asks for the days of the address. The last day is included. */
export function daysAsked({ value }: Pick<Filters, 'value'>) {
  const [from, to] = [startOfDay(value('from')), startOfDay(value('to'), 1)]
  return { ...(from && { from }), ...(to && { to }) }
}

/** The first and the last day of a list, which are in the address. */
export function DayRange({ value, filter }: Filters) {
  return (
    <>
      <DateField
        label={t('office.audit.from')}
        value={value('from')}
        onChange={(from) => filter('from', from)}
      />
      <DateField
        label={t('office.audit.to')}
        value={value('to')}
        onChange={(to) => filter('to', to)}
      />
    </>
  )
}
