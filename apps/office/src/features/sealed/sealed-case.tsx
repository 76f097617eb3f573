import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Answer } from '@duet/protocol'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { PageHeader } from '../../shared/page-header.tsx'
import { DataTable } from '../../shared/table/data-table.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { CaseHold } from './case-hold.tsx'
import { CaseExports } from './case-exports.tsx'
import { sealedReason } from './sealed-names.ts'
import { personName } from '../../shared/person-name.ts'

type Opened = Answer<'GET v2/manager/sealed/{id}'>

/** A sealed case: its facts, the hashes of its files, its hold and its exports. No picture is shown here. */
export function SealedCasePage() {
  const id = parseId(useParams()['id'] ?? '') ?? 0
  const { data, error } = useQuery({
    queryKey: ['sealed-case', id],
    queryFn: () => api.get('v2/manager/sealed/{id}', { id }),
    enabled: id > 0,
    // Each fetch is a recorded look.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <PageHeader title={t('office.sealed.title', { id })}>
        <Link className="underline" to="/sealed">
          {t('action.back')}
        </Link>
      </PageHeader>
      <div className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto p-4">
        {error && <Banner tone="danger">{errorSentence(error)}</Banner>}
        {!error && !data && <p role="status">{t('office.loading')}</p>}
        {data && (
          <>
            <Facts shown={data} />
            <Files files={data.files} />
            <CaseHold sealed={data.case} />
            <CaseExports id={data.case.id} exports={data.exports} />
          </>
        )}
      </div>
    </>
  )
}

function Facts({ shown: { case: sealed, files } }: { shown: Opened }) {
  const { accused, create_time, decided_at, seal } = sealed
  const isWhole = files.every(({ whole }) => whole)
  const facts: [string, string][] = [
    [t('office.decide.reason'), sealedReason(sealed)],
    [t('office.sealed.accused'), personName(accused)],
    [t('office.audit.at'), shortTime(create_time)],
    [t('office.sealed.decided'), decided_at ? shortTime(decided_at) : t('office.sealed.undecided')],
    [t('office.sealed.seal'), seal ?? t('office.sealed.no_seal')],
  ]
  return (
    <section className="flex max-w-[880px] flex-col gap-3">
      {!isWhole && <Banner tone="danger">{t('office.sealed.broken')}</Banner>}
      <dl className="grid gap-px overflow-hidden rounded-field bg-hair shadow-[inset_0_0_0_1px_var(--hair)] md:grid-cols-2">
        {facts.map(([name, value]) => (
          <div key={name} className="bg-surface-1 px-3 py-2 last:md:col-span-2">
            <dt className="text-text-2">{name}</dt>
            <dd className="break-all font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Files({ files }: { files: Opened['files'] }) {
  if (files.length === 0) return <EmptyState title={t('office.sealed.no_seal')} />
  return (
    <DataTable<Opened['files'][number]>
      name="sealed-files"
      label={t('office.sealed.files')}
      rowKey={({ kind, source }) => `${kind}${source}`}
      rows={files}
      columns={[
        {
          key: 'kind',
          header: t('office.sealed.file'),
          cell: ({ kind }) => textOr(`office.sealed.kind.${kind}`, kind),
          mobile: 'main',
        },
        { key: 'at', header: t('office.audit.at'), cell: ({ at }) => shortTime(at) },
        {
          key: 'bytes',
          header: t('office.sealed.bytes'),
          cell: ({ bytes }) => <span className="tabular-nums">{bytes}</span>,
        },
        {
          key: 'hash',
          width: 420,
          header: t('office.sealed.hash'),
          cell: ({ sha256 }) => <code className="break-all">{sha256}</code>,
          mobile: 'second',
        },
        {
          key: 'whole',
          header: t('office.sealed.check'),
          cell: ({ whole }) => (whole ? t('office.sealed.whole') : t('office.sealed.changed')),
          mobile: 'end',
        },
      ]}
    />
  )
}
