import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SealedCase } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { useProof } from '../../shared/prove/prove.tsx'
import { ReasonForm } from '../../shared/reason-form.tsx'
import { t } from '../../shared/texts.ts'

/** The hold of the data of the accused. It can end only after the decision; the sealed files stay. */
export function CaseHold({ sealed: { id, held, decided_at } }: { sealed: SealedCase }) {
  const queries = useQueryClient()
  const proof = useProof()
  const change = useMutation({
    mutationFn: (reason: string) =>
      proof.with(() => api.post('v2/manager/sealed/{id}/hold', { id, held: !held, reason })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['sealed'] })
      await queries.invalidateQueries({ queryKey: ['sealed-case', id] })
    },
  })
  const mayChange = !held || decided_at !== null
  return (
    <section className="flex max-w-[640px] flex-col gap-3">
      <h2 className="text-[calc(16rem/16)] font-semibold">{t('office.sealed.hold')}</h2>
      <p className="text-text-2">
        {held ? t('office.sealed.held_text') : t('office.sealed.free_text')}
      </p>
      {!mayChange && <p>{t('office.sealed.hold_waits')}</p>}
      {mayChange && (
        <ReasonForm
          key={String(held)}
          label={t('office.sealed.hold_why')}
          press={held ? t('office.sealed.lift_hold') : t('office.sealed.place_hold')}
          isBusy={change.isPending}
          error={change.error}
          onSubmit={(reason) => change.mutate(reason)}
        />
      )}
    </section>
  )
}
