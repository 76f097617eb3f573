import { useQuery } from '@tanstack/react-query'
import type { Answer } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { t } from '../../shared/texts.ts'
import { serverNow } from '../../shared/times.ts'
import { useFilters } from '../../shared/use-filters.ts'
import { kindName } from './report-names.ts'

type KindNumbers = Answer<'GET v2/manager/report-numbers'>['kinds'][number]

const MONTH = /^\d{4}-\d{2}$/
const thisMonth = () => serverNow().toISOString().slice(0, 7)
const FIGURES = ['received', 'upheld', 'rejected', 'open', 'late', 'pictures'] as const

const columns = [
  {
    key: 'kind',
    header: t('office.numbers.kind'),
    cell: (row: KindNumbers) => kindName(row),
    mobile: 'main' as const,
  },
  ...FIGURES.map((key) => ({
    key,
    header: t(`office.numbers.${key}`),
    cell: (row: KindNumbers) => row[key],
    number: true,
    ...(key === 'received' && { mobile: 'end' as const }),
  })),
  {
    key: 'median',
    header: t('office.numbers.median'),
    cell: ({ median_hours }: KindNumbers) =>
      median_hours === null ? '' : t('office.numbers.hours', { n: median_hours.toFixed(1) }),
    number: true,
  },
]

/** The numbers of a month for the public report. */
export function MonthNumbers() {
  const { value, filter } = useFilters()
  const month = value('month')
  const isOpen = MONTH.test(month)
  const { data, error } = useQuery({
    queryKey: ['report-numbers', month],
    queryFn: () => api.get('v2/manager/report-numbers', { month }),
    enabled: isOpen,
  })
  return (
    <details
      className="shrink-0 border-t border-hair px-4 md:py-2"
      open={value('month') !== ''}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== (value('month') !== '')) filter('month', open ? thisMonth() : '')
      }}
    >
      <summary className="cursor-pointer py-[13px] md:py-1">{t('office.numbers.title')}</summary>
      <div className="flex max-h-[50vh] flex-col gap-3 overflow-y-auto py-3">
        <Field
          className="max-w-[220px]"
          label={t('office.numbers.month')}
          type="month"
          value={month}
          onChange={(event) => filter('month', event.target.value || thisMonth())}
        />
        {error && <Banner tone="danger">{errorSentence(error)}</Banner>}
        {data && (
          <DataTable<KindNumbers>
            name="report-numbers"
            label={t('office.numbers.title')}
            rowKey={({ kind }) => kind}
            rows={data.kinds}
            columns={columns}
          />
        )}
      </div>
    </details>
  )
}
