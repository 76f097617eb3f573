import type { PersonMovement } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { PagedTable } from '../../shared/paged-table.tsx'

export function PersonMoney({ id }: { id: number }) {
  return (
    <PagedTable<PersonMovement>
      label={t('office.person.money')}
      none={t('office.person.no_money')}
      queryKey={['person-money', id]}
      fetchPage={(page) => api.get('v2/manager/users/{id}/movements', { id, page })}
      rowKey={(row) => `${row.id} ${row.amount}`}
      columns={[
        {
          key: 'at',
          header: t('office.audit.at'),
          cell: ({ at }) => shortTime(at),
          mobile: 'second',
        },
        {
          key: 'what',
          header: t('office.person.purpose'),
          cell: ({ purpose }) => purpose,
          mobile: 'main',
        },
        {
          key: 'amount',
          header: t('office.person.amount'),
          number: true,
          cell: ({ amount, asset }) => (
            <bdi dir="ltr" className="tabular-nums">
              {amount} {asset}
            </bdi>
          ),
          mobile: 'end',
        },
        {
          key: 'cause',
          header: t('office.person.cause'),
          cell: ({ cause, cause_id }) => `${cause} ${cause_id ?? ''}`,
        },
        { key: 'note', header: t('office.decide.note'), cell: ({ note }) => <bdi>{note}</bdi> },
      ]}
    />
  )
}
