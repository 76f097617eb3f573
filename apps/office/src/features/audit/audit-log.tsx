import { useState } from 'react'
import { Link } from 'react-router'
import type { AuditEntry } from '@duet/protocol'
import { useMobile } from '@duet/ui/use-media-query.ts'
import { api } from '../../shared/api.ts'
import { PageHeader } from '../../shared/page-header.tsx'
import { PagedTable } from '../../shared/table/paged-table.tsx'
import { TIME_WIDTH, type TableColumn } from '../../shared/table/table-column.ts'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { useFilters } from '../../shared/use-filters.ts'
import { useSettled } from '../../shared/use-settled.ts'
import { actName } from './act-names.ts'
import { AuditEntryDialog, Change, factsText } from './audit-entry.tsx'
import { askedBy, AuditFilters } from './audit-filters.tsx'
import { ChainCheck } from './chain-check.tsx'

const PAGE = 50

/** Every act of staff, the newest first. */
export function AuditLog() {
  const filters = useFilters()
  const asked = useAsked(filters)
  const [opened, open] = useState<AuditEntry>()
  const showPerson = (staff_id: number) => {
    open(undefined)
    filters.filter('staff', String(staff_id))
  }
  return (
    <>
      <PageHeader title={t('office.nav.audit')}>
        <a className="hit ms-auto font-medium underline" href={exportAddress(asked)} download>
          {Object.keys(asked).length > 0
            ? t('office.audit.export_found')
            : t('office.audit.export')}
        </a>
      </PageHeader>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        <ChainCheck />
        <AuditFilters filters={filters} />
        <PagedTable<AuditEntry>
          name="audit"
          label={t('office.nav.audit')}
          none={t('office.audit.empty')}
          queryKey={['audit', asked]}
          fetchPage={(before, signal) =>
            api.get('v2/manager/audit', { 'per-page': PAGE, before, ...asked }, { signal })
          }
          idBefore={({ id }) => id}
          rowKey={({ id }) => id}
          columns={columns(open, showPerson)}
        />
      </div>
      {opened && (
        <AuditEntryDialog entry={opened} onPerson={showPerson} onClose={() => open(undefined)} />
      )}
    </>
  )
}

interface ByProps {
  entry: AuditEntry
  onPerson: (staff_id: number) => void
}

/** A press shows the acts of this person only. On a phone the row opens the entry, which has this press. */
function By({ entry: { staff_id, email, operator }, onPerson }: ByProps) {
  const isMobile = useMobile()
  if (staff_id === null || isMobile) return <bdi>{operator ?? email ?? staff_id}</bdi>
  return (
    <button
      type="button"
      className="text-start underline"
      title={t('office.audit.only', { person: email ?? staff_id })}
      onClick={() => onPerson(staff_id)}
    >
      {email ?? staff_id}
    </button>
  )
}

/** The query of the filters, where a text counts once nothing was typed for a moment. */
function useAsked({ value }: ReturnType<typeof useFilters>) {
  const texts = new Map([
    ['user', useSettled(value('user'))],
    ['operator', useSettled(value('operator'))],
  ])
  return askedBy({ value: (name) => texts.get(name) ?? value(name) })
}

/** The file has what the page shows. */
export function exportAddress(asked: ReturnType<typeof askedBy>): string {
  const query = new URLSearchParams(
    Object.entries(asked).map(([name, value]) => [name, String(value)]),
  )
  return `/api/v2/manager/audit/export${query.size > 0 ? `?${query}` : ''}`
}

function columns(
  onOpen: (entry: AuditEntry) => void,
  onPerson: (staff_id: number) => void,
): TableColumn<AuditEntry>[] {
  return [
    {
      key: 'at',
      width: TIME_WIDTH,
      header: t('office.audit.at'),
      cell: ({ at }) => shortTime(at),
      mobile: 'second',
    },
    {
      key: 'who',
      width: 200,
      header: t('office.audit.who'),
      cell: (entry) => <By entry={entry} onPerson={onPerson} />,
      mobile: 'second',
    },
    {
      key: 'address',
      width: 130,
      header: t('office.audit.address'),
      cell: ({ address }) => <bdi dir="ltr">{address}</bdi>,
    },
    {
      key: 'act',
      width: 180,
      header: t('office.audit.act'),
      cell: (entry) => (
        <button
          type="button"
          data-open
          className="text-start font-medium underline"
          onClick={() => onOpen(entry)}
        >
          {actName(entry.act)}
        </button>
      ),
      mobile: 'main',
    },
    {
      key: 'user',
      width: 90,
      header: t('office.audit.user'),
      cell: ({ user_id }) =>
        user_id !== null && (
          <Link className="underline" to={`/users/${user_id}`}>
            {user_id}
          </Link>
        ),
      mobile: 'end',
    },
    {
      key: 'reason',
      width: 240,
      header: t('office.audit.reason'),
      cell: ({ reason }) => <bdi className="break-words">{reason}</bdi>,
    },
    {
      key: 'facts',
      width: 300,
      header: t('office.audit.facts'),
      cell: ({ facts }) => <bdi className="break-words">{factsText(facts)}</bdi>,
    },
    {
      key: 'change',
      width: 240,
      header: t('office.audit.change'),
      cell: ({ before, after }) => <Change before={before} after={after} />,
    },
    {
      key: 'words',
      width: 240,
      header: t('office.audit.words'),
      cell: ({ words }) => <bdi>{words}</bdi>,
    },
    {
      key: 'hash',
      width: 110,
      header: t('office.audit.hash'),
      cell: ({ hash }) => <code title={hash}>{hash.slice(0, 10)}</code>,
    },
  ]
}
