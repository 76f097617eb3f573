import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { AuditEntry } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { Table, type TableColumn } from '@duet/ui/figures/table.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { PageHeader } from '../../shared/page-header.tsx'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { useFilters } from '../../shared/use-filters.ts'
import { useSettled } from '../../shared/use-settled.ts'
import { actName } from './act-names.ts'
import { askedBy, AuditFilters } from './audit-filters.tsx'
import { ChainCheck } from './chain-check.tsx'

const PAGE = 50

/** Every act of staff, the newest first. */
export function AuditLog() {
  const filters = useFilters()
  const asked = useAsked(filters)
  const entries = useInfiniteQuery({
    queryKey: ['audit', asked],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam: before, signal }) =>
      api.get('v2/manager/audit', { 'per-page': PAGE, before, ...asked }, { signal }),
    getNextPageParam: ({ items, next }) => (next ? items.at(-1)?.id : undefined),
  })
  const rows = entries.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHeader title={t('office.nav.audit')}>
        <a className="ms-auto font-medium underline" href={exportAddress(asked)} download>
          {Object.keys(asked).length > 0
            ? t('office.audit.export_found')
            : t('office.audit.export')}
        </a>
      </PageHeader>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        <ChainCheck />
        <AuditFilters filters={filters} />
        {entries.error && <Banner tone="danger">{errorSentence(entries.error)}</Banner>}
        {entries.isPending && <p role="status">{t('office.loading')}</p>}
        {entries.isSuccess && rows.length === 0 && <EmptyState title={t('office.audit.empty')} />}
        {rows.length > 0 && (
          <Table<AuditEntry>
            dense
            label={t('office.nav.audit')}
            rowKey={({ id }) => id}
            rows={rows}
            columns={columns((staff_id) => filters.filter('staff', String(staff_id)))}
          />
        )}
        {entries.hasNextPage && (
          <Button
            className="self-center"
            size={36}
            variant="secondary"
            busy={entries.isFetchingNextPage}
            onClick={() => void entries.fetchNextPage()}
          >
            {t('action.show_more')}
          </Button>
        )}
      </div>
    </>
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

function columns(onPerson: (staff_id: number) => void): TableColumn<AuditEntry>[] {
  return [
    { key: 'at', header: t('office.audit.at'), cell: ({ at }) => shortTime(at) },
    {
      key: 'who',
      header: t('office.audit.who'),
      cell: ({ staff_id, email, operator }) =>
        staff_id === null ? (
          <bdi>{operator}</bdi>
        ) : (
          <button
            type="button"
            className="text-start underline"
            title={t('office.audit.only', { person: email ?? staff_id })}
            onClick={() => onPerson(staff_id)}
          >
            {email ?? staff_id}
          </button>
        ),
      mobile: 'second',
    },
    {
      key: 'act',
      header: t('office.audit.act'),
      cell: ({ act }) => actName(act),
      mobile: 'main',
    },
    {
      key: 'user',
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
      header: t('office.audit.reason'),
      cell: ({ reason }) => <bdi className="break-words">{reason}</bdi>,
    },
    {
      key: 'facts',
      header: t('office.audit.facts'),
      cell: ({ facts }) => <bdi className="break-words">{factsText(facts)}</bdi>,
    },
    {
      key: 'hash',
      header: t('office.audit.hash'),
      cell: ({ hash }) => <code title={hash}>{hash.slice(0, 10)}</code>,
    },
  ]
}

function factsText(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')
}
