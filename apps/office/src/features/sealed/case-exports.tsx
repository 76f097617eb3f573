import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { SealedExport } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { useProof } from '../../shared/prove/prove.tsx'
import { ReasonForm } from '../../shared/reason-form.tsx'
import { useStaff } from '../../shared/session.tsx'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { saveFile } from '../../shared/save-file.ts'

/** The exports of a case: one person asks, another one allows, and the first one fetches the files. */
export function CaseExports({ id, exports }: { id: number; exports: readonly SealedExport[] }) {
  const { email } = useStaff()
  const proof = useProof()
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['sealed-case', id] })
  const ask = useMutation({
    mutationFn: (reason: string) =>
      proof.with(() => api.post('v2/manager/sealed/{id}/exports', { id, reason })),
    onSettled: refresh,
  })
  const hasOpen = exports.some(
    ({ asked_by, state }) => asked_by === email && (state === 'waiting' || state === 'allowed'),
  )
  return (
    <section className="flex max-w-[880px] flex-col gap-3">
      <h2 className="text-[calc(16rem/16)] font-semibold">{t('office.sealed.exports')}</h2>
      <p className="text-text-2">{t('office.sealed.exports_text')}</p>
      <ul aria-label={t('office.sealed.exports')} className="flex flex-col">
        {exports.map((one) => (
          <ExportRow key={one.id} complaint={id} row={one} onDone={refresh} />
        ))}
      </ul>
      {!hasOpen && (
        <ReasonForm
          label={t('office.sealed.export_why')}
          press={t('office.sealed.ask_export')}
          isBusy={ask.isPending}
          error={ask.error}
          onSubmit={(reason) => ask.mutate(reason)}
        />
      )}
    </section>
  )
}

function ExportRow({
  complaint,
  row,
  onDone,
}: {
  complaint: number
  row: SealedExport
  onDone: () => Promise<void>
}) {
  const { email } = useStaff()
  const proof = useProof()
  const { id: export_id, reason, asked_by, asked_at, allowed_by, used_at, state } = row
  const fetchFiles = useMutation({
    mutationFn: () =>
      proof.with(async () => {
        const path = 'v2/manager/sealed/{id}/exports/{export_id}/files'
        const file = await api.download(path, { id: complaint, export_id })
        return saveFile(file, `export-${export_id}.zip`)
      }),
    onSettled: onDone,
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-hair py-3">
      <div className="min-w-0">
        <p className="break-words font-medium">
          <bdi>{reason}</bdi>
        </p>
        <p className="text-text-2">
          {t('office.sealed.asked', { name: asked_by, time: shortTime(asked_at) })}
          {allowed_by !== null && ` · ${t('office.sealed.allowed', { name: allowed_by })}`}
          {used_at !== null && ` · ${t('office.sealed.fetched', { time: shortTime(used_at) })}`}
          {state === 'over' && ` · ${t('office.sealed.over')}`}
        </p>
        {state === 'waiting' && (
          <Link className="underline" to="/stopped">
            {t('office.sealed.waits_other')}
          </Link>
        )}
        {fetchFiles.error && <Banner tone="danger">{errorSentence(fetchFiles.error)}</Banner>}
      </div>
      {state === 'allowed' && asked_by === email && (
        <Button
          size={36}
          variant="primary"
          busy={fetchFiles.isPending}
          onClick={() => fetchFiles.mutate()}
        >
          {t('office.sealed.fetch')}
        </Button>
      )}
    </li>
  )
}
