import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SealedExport } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { useProof } from '../../shared/prove/prove.tsx'
import { ReasonForm } from '../../shared/reason-form.tsx'
import { useStaff } from '../../shared/session.tsx'
import { t } from '../../shared/texts.ts'
import { shortTime, serverNow } from '../../shared/times.ts'
import { saveFile } from '../../shared/save-file.ts'

const DAY_MS = 86_400_000

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
  const hasOpen = exports.some((one) => one.requested_by === email && isOpen(one))
  return (
    <section className="flex max-w-[880px] flex-col gap-3">
      <h2 className="text-[calc(16rem/16)] font-semibold">{t('office.sealed.exports')}</h2>
      <p className="text-text-2">{t('office.sealed.exports_text')}</p>
      <ul aria-label={t('office.sealed.exports')} className="flex flex-col">
        {exports.map((one) => (
          <ExportRow key={one.id} row={one} onDone={refresh} />
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

/** Without a second person, and without being fetched, an export ends after a day. */
function isOpen({ requested_at, approved_at, exported_at }: SealedExport): boolean {
  return (
    exported_at === null && serverNow().getTime() < Date.parse(approved_at ?? requested_at) + DAY_MS
  )
}

function ExportRow({ row, onDone }: { row: SealedExport; onDone: () => Promise<void> }) {
  const { email } = useStaff()
  const proof = useProof()
  const { id, requested_by, approved_by } = row
  const isApproved = approved_by !== null
  const isOwn = requested_by === email
  const act = useMutation({
    mutationFn: () =>
      proof.with(async () => {
        if (!isOwn) return api.post('v2/manager/sealed/exports/{id}/approve', { id })
        const file = await api.download('v2/manager/sealed/exports/{id}/files', { id })
        return saveFile(file, `export-${id}.zip`)
      }),
    onSettled: onDone,
  })
  const isFree = isOpen(row)
  const mayAllow = isFree && !isOwn && !isApproved
  const mayFetch = isFree && isOwn && isApproved
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-hair py-3">
      <div className="min-w-0">
        <ExportFacts row={row} isWaiting={isFree && isOwn && !isApproved} isOver={!isFree} />
        {act.error && <Banner tone="danger">{errorSentence(act.error)}</Banner>}
      </div>
      {(mayAllow || mayFetch) && (
        <Button size={36} variant="primary" busy={act.isPending} onClick={() => act.mutate()}>
          {mayAllow ? t('office.sealed.allow') : t('office.sealed.fetch')}
        </Button>
      )}
    </li>
  )
}

function ExportFacts({
  row: { reason, requested_by, requested_at, approved_by, exported_at },
  isWaiting,
  isOver,
}: {
  row: SealedExport
  isWaiting: boolean
  isOver: boolean
}) {
  return (
    <>
      <p className="break-words font-medium">
        <bdi>{reason}</bdi>
      </p>
      <p className="text-text-2">
        {t('office.sealed.asked', { name: requested_by, time: shortTime(requested_at) })}
        {approved_by !== null && ` · ${t('office.sealed.allowed', { name: approved_by })}`}
        {exported_at !== null &&
          ` · ${t('office.sealed.fetched', { time: shortTime(exported_at) })}`}
        {exported_at === null && isOver && ` · ${t('office.sealed.over')}`}
      </p>
      {isWaiting && <p>{t('office.sealed.waits_other')}</p>}
    </>
  )
}
