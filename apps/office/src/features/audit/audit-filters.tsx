import type { AuditAct } from '@duet/protocol/kernel/audit-acts.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { Button } from '@duet/ui/controls/button.tsx'
import { DateField } from '@duet/ui/fields/date-field.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { Select } from '@duet/ui/fields/select.tsx'
import { t } from '../../shared/texts.ts'
import { actOptions } from './act-names.ts'

export interface Filters {
  readonly act: AuditAct | 'all'
  readonly user: string
  readonly operator: string
  /** Days; the last one is included. */
  readonly from: string
  readonly to: string
  readonly staff: { readonly id: number; readonly email: string } | null
}

export const NO_FILTERS: Filters = {
  act: 'all',
  user: '',
  operator: '',
  from: '',
  to: '',
  staff: null,
}

/** The query of the filters. */
export function askedBy({ act, user, operator, from, to, staff }: Filters) {
  const user_id = parseId(user.trim())
  return {
    ...(act !== 'all' && { act }),
    ...(user_id && { user_id }),
    ...(operator.trim() !== '' && { operator: operator.trim() }),
    ...(from !== '' && { from: startOfDay(from) }),
    ...(to !== '' && { to: startOfDay(to, 1) }),
    ...(staff && { staff_id: staff.id }),
  }
}

/** In the zone of the viewer. */
function startOfDay(day: string, later = 0): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return new Date(year, month - 1, date + later).toISOString()
}

export function AuditFilters({
  filters,
  onChange,
}: {
  filters: Filters
  onChange: (filters: Filters) => void
}) {
  const change = (part: Partial<Filters>) => onChange({ ...filters, ...part })
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        className="min-w-[220px]"
        label={t('office.audit.act')}
        options={[{ value: 'all', label: t('office.audit.all_acts') }, ...actOptions()]}
        value={filters.act}
        onChange={(act) => change({ act })}
      />
      <Field
        className="w-[140px]"
        label={t('office.audit.user')}
        inputMode="numeric"
        value={filters.user}
        onChange={(event) => change({ user: event.target.value })}
      />
      <Field
        className="w-[160px]"
        label={t('office.audit.operator')}
        maxLength={60}
        value={filters.operator}
        onChange={(event) => change({ operator: event.target.value })}
      />
      <DateField
        label={t('office.audit.from')}
        value={filters.from}
        onChange={(from) => change({ from })}
      />
      <DateField
        label={t('office.audit.to')}
        value={filters.to}
        onChange={(to) => change({ to })}
      />
      {filters.staff && (
        <Button size={44} variant="outline" onClick={() => change({ staff: null })}>
          {t('office.audit.anyone')}
        </Button>
      )}
    </div>
  )
}
