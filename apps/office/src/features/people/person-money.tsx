import { useMutation } from '@tanstack/react-query'
import type { OfficeUser, PersonMovement } from '@duet/protocol'
import { movementAssets, movementPurposes } from '@duet/protocol/kernel/rule-names.ts'
import { Button } from '@duet/ui/controls/button.tsx'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { ChoiceFilter } from '../../shared/filters/choice-filter.tsx'
import { TIME_WIDTH, type TableColumn } from '../../shared/table/table-column.ts'
import { api, errorSentence } from '../../shared/api.ts'
import { DayRange, daysAsked } from '../../shared/filters/day-range.tsx'
import { saveFile } from '../../shared/save-file.ts'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { PagedTable } from '../../shared/table/paged-table.tsx'
import { useFilters } from '../../shared/use-filters.ts'
import { MovementSource } from './movement-source.tsx'

type Filters = ReturnType<typeof useFilters>

/** The query of the filters. A value in the address that is none of a filter filters nothing. */
export function movementsAsked({ value }: Pick<Filters, 'value'>) {
  const asset = movementAssets.find((one) => one === value('asset'))
  const purpose = movementPurposes.find((one) => one === value('purpose'))
  return {
    ...(asset && { asset }),
    ...(purpose && { purpose }),
    ...daysAsked({ value }),
  }
}

/** The ledger of a person, the newest movement first. The filters are in the address. */
export function PersonMoney({ person }: { person: OfficeUser }) {
  const { id } = person
  const filters = useFilters()
  const asked = movementsAsked(filters)
  const isFiltered = Object.keys(asked).length > 0
  const save = useMutation({
    mutationFn: () => api.download('v2/manager/users/{id}/movements/export', { id, ...asked }),
    onSuccess: (file) => saveFile(file, `ledger-${id}.csv`),
  })
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <MoneyFilters filters={filters} />
        <Button
          className="ms-auto"
          size={44}
          variant="outline"
          busy={save.isPending}
          onClick={() => save.mutate()}
        >
          {t('office.ledger.export')}
        </Button>
      </div>
      {save.error && <Banner tone="danger">{errorSentence(save.error)}</Banner>}
      <PagedTable<PersonMovement>
        name="ledger"
        label={t('office.person.money')}
        none={isFiltered ? t('office.ledger.none_found') : t('office.person.no_money')}
        noneYet={t('office.ledger.none_yet')}
        queryKey={['person-money', id, asked]}
        fetchPage={(page, signal, after) =>
          api.get('v2/manager/users/{id}/movements', { id, page, after, ...asked }, { signal })
        }
        rowKey={(row) => `${row.id} ${row.amount}`}
        columns={columns(person)}
      />
    </>
  )
}

function MoneyFilters({ filters }: { filters: Filters }) {
  return (
    <>
      <ChoiceFilter
        className="min-w-[160px] max-md:w-full"
        label={t('office.ledger.asset')}
        all={t('office.ledger.all_assets')}
        options={movementAssets.map((value) => ({
          value,
          label: textOr(`office.asset.${value}`, value),
        }))}
        filters={filters}
        name="asset"
      />
      <ChoiceFilter
        className="min-w-[220px] max-md:w-full"
        label={t('office.person.purpose')}
        all={t('office.ledger.all_purposes')}
        options={movementPurposes.map((value) => ({
          value,
          label: textOr(`office.purpose.${value}`, value),
        }))}
        filters={filters}
        name="purpose"
      />
      <DayRange {...filters} />
    </>
  )
}

function columns(person: OfficeUser): TableColumn<PersonMovement>[] {
  return [
    {
      key: 'at',
      width: TIME_WIDTH,
      header: t('office.audit.at'),
      cell: ({ at }) => shortTime(at),
      mobile: 'second',
    },
    {
      key: 'what',
      width: 160,
      header: t('office.person.purpose'),
      cell: ({ purpose }) => textOr(`office.purpose.${purpose}`, purpose),
      mobile: 'main',
    },
    {
      key: 'amount',
      header: t('office.person.amount'),
      number: true,
      cell: ({ amount, asset }) => (
        <>
          <bdi dir="ltr" className="tabular-nums">
            {amount}
          </bdi>{' '}
          {textOr(`office.asset.${asset}`, asset)}
        </>
      ),
      mobile: 'end',
    },
    {
      key: 'balance',
      header: t('office.ledger.balance_after'),
      number: true,
      cell: ({ balance }) => (
        <bdi dir="ltr" className="tabular-nums">
          {balance}
        </bdi>
      ),
    },
    {
      key: 'cause',
      width: 180,
      header: t('office.person.cause'),
      cell: (movement) => <MovementSource person={person} movement={movement} />,
      mobile: 'second',
    },
    {
      key: 'note',
      width: 240,
      header: t('office.decide.note'),
      cell: ({ note }) => <bdi>{note}</bdi>,
    },
  ]
}
