import { auditActs } from '@duet/protocol/kernel/audit-acts.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { Button } from '@duet/ui/controls/button.tsx'
import { ChoiceFilter } from '../../shared/filters/choice-filter.tsx'
import { DayRange, daysAsked } from '../../shared/filters/day-range.tsx'
import { FilterField } from '../../shared/filters/filter-field.tsx'
import { t } from '../../shared/texts.ts'
import type { useFilters } from '../../shared/use-filters.ts'
import { actOptions } from './act-names.ts'

const OPERATOR_MAX = 60

type Filters = ReturnType<typeof useFilters>

/** The query of the filters. A value in the address that is none of a filter filters nothing. */
export function askedBy({ value }: Pick<Filters, 'value'>) {
  const act = auditActs.find((one) => one === value('act'))
  const user_id = parseId(value('user').trim())
  const staff_id = parseId(value('staff'))
  const operator = value('operator').trim().slice(0, OPERATOR_MAX)
  return {
    ...(act && { act }),
    ...(user_id && { user_id }),
    ...(operator !== '' && { operator }),
    ...daysAsked({ value }),
    ...(staff_id && { staff_id }),
  }
}

const isNoId = (text: string) => text.trim() !== '' && parseId(text.trim()) === undefined

export function AuditFilters({ filters }: { filters: Filters }) {
  const { value, filter } = filters
  return (
    // At their tops: the sentence of an error makes a field higher.
    <div className="flex flex-wrap items-start gap-3">
      <ChoiceFilter
        className="min-w-[220px] max-md:w-full"
        label={t('office.audit.act')}
        all={t('office.audit.all_acts')}
        options={actOptions()}
        filters={filters}
        name="act"
      />
      <FilterField
        className="w-[140px] max-md:grow max-md:basis-2/5"
        label={t('office.audit.user')}
        inputMode="numeric"
        error={isNoId(value('user')) ? t('office.audit.user_invalid') : undefined}
        filters={filters}
        name="user"
      />
      <FilterField
        className="w-[160px] max-md:grow max-md:basis-2/5"
        label={t('office.audit.operator')}
        maxLength={OPERATOR_MAX}
        filters={filters}
        name="operator"
      />
      <DayRange {...filters} />
      {value('staff') !== '' && (
        <Button className="mt-6.5" size={44} variant="outline" onClick={() => filter('staff', '')}>
          {t('office.audit.anyone')}
        </Button>
      )}
    </div>
  )
}
