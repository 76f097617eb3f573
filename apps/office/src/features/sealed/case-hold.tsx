import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SealedCase } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { api, sentenceOf } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'

/** The hold of the data of the accused. It can end only after the decision; the sealed files stay. */
export function CaseHold({ sealed: { id, held, decided_at } }: { sealed: SealedCase }) {
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const change = useMutation({
    mutationFn: () =>
      api.post('v2/manager/sealed/{id}/hold', { id, held: !held, reason: reason.trim() }),
    onSuccess: async () => {
      setReason('')
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
      {change.error && <Banner tone="danger">{sentenceOf(change.error)}</Banner>}
      {mayChange && (
        <form
          className="flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            change.mutate()
          }}
        >
          <Field
            className="min-w-[220px] flex-1"
            label={t('office.sealed.hold_why')}
            required
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button
            type="submit"
            size={44}
            variant="secondary"
            disabled={reason.trim() === ''}
            busy={change.isPending}
          >
            {held ? t('office.sealed.lift_hold') : t('office.sealed.place_hold')}
          </Button>
        </form>
      )}
    </section>
  )
}
