import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { StaffStatement } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { t } from '../../shared/texts.ts'
import { useStatementDialogs } from '../../shared/sanctions/use-statement-dialogs.tsx'

/** The newest statements of a person; all of them are in the table of bans and penalties. */
export function PersonSanctions({ id }: { id: number }) {
  const queries = useQueryClient()
  const { columns, dialogs } = useStatementDialogs(() => {
    void queries.invalidateQueries({ queryKey: ['statements'] })
    void queries.invalidateQueries({ queryKey: ['person', id] })
  })
  const { data, error, isPending } = useQuery({
    queryKey: ['statements', { user_id: id }, 'newest'],
    queryFn: () => api.get('v2/manager/statements', { user_id: id }),
  })
  return (
    <>
      {error && <Banner tone="danger">{errorSentence(error)}</Banner>}
      {isPending && <p role="status">{t('office.loading')}</p>}
      {data?.items.length === 0 && <EmptyState title={t('office.sanctions.empty')} />}
      {data && data.items.length > 0 && (
        <DataTable<StaffStatement>
          name="statements"
          hasKeys
          label={t('office.nav.sanctions')}
          rowKey={(row) => row.id}
          rows={data.items}
          columns={columns}
        />
      )}
      {data?.next && (
        <Link className="self-center underline" to={`/sanctions?user=${id}`}>
          {t('action.show_more')}
        </Link>
      )}
      {dialogs}
    </>
  )
}
