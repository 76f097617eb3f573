import { Link, Route, Routes } from 'react-router'
import type { SealedCase } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { PagedTable } from '../../shared/table/paged-table.tsx'
import { TIME_WIDTH, type TableColumn } from '../../shared/table/table-column.ts'
import { PageHeader } from '../../shared/page-header.tsx'
import { personName } from '../../shared/person-name.ts'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { SealedCasePage } from './sealed-case.tsx'
import { sealedReason } from './sealed-names.ts'

/** The cases with sealed evidence, and the one that was chosen. */
export function Sealed() {
  return (
    <Routes>
      <Route index element={<SealedList />} />
      <Route path=":id" element={<SealedCasePage />} />
    </Routes>
  )
}

function SealedList() {
  return (
    <>
      <PageHeader title={t('office.nav.sealed')} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        <p className="max-w-[720px] text-text-2">{t('office.sealed.text')}</p>
        <PagedTable<SealedCase>
          name="sealed"
          label={t('office.nav.sealed')}
          none={t('office.sealed.none')}
          queryKey={['sealed']}
          fetchPage={(page) => api.get('v2/manager/sealed', { page })}
          rowKey={({ id }) => id}
          columns={columns}
        />
      </div>
    </>
  )
}

const columns: TableColumn<SealedCase>[] = [
  {
    key: 'case',
    header: t('office.sealed.case'),
    cell: (row) => (
      <Link data-open className="underline" to={`/sealed/${row.id}`}>
        {sealedReason(row)} #{row.id}
      </Link>
    ),
    mobile: 'main',
  },
  {
    key: 'accused',
    header: t('office.sealed.accused'),
    cell: ({ accused }) => <bdi>{personName(accused)}</bdi>,
    mobile: 'second',
  },
  {
    key: 'at',
    width: TIME_WIDTH,
    header: t('office.audit.at'),
    cell: ({ create_time }) => shortTime(create_time),
  },
  {
    key: 'files',
    header: t('office.sealed.files'),
    cell: ({ files }) => <span className="tabular-nums">{files}</span>,
  },
  {
    key: 'decided',
    width: TIME_WIDTH,
    header: t('office.sealed.decided'),
    cell: ({ decided_at }) => (decided_at ? shortTime(decided_at) : t('office.sealed.undecided')),
  },
  {
    key: 'held',
    header: t('office.sealed.hold'),
    cell: ({ held }) => (held ? t('office.sealed.held') : t('office.sealed.free')),
    mobile: 'end',
  },
]
