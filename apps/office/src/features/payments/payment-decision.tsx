import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PaymentCase } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { useProof } from '../../shared/prove/prove.tsx'
import { Choices, SubmitDecision } from '../../shared/queue/choices.tsx'
import { msg, t } from '../../shared/texts.ts'
import { stepText } from './payment-texts.ts'

const LABELS = { credit: msg('office.payment.credit'), refund: msg('office.payment.refund') }
const HINTS = {
  credit: msg('office.payment.credit_text'),
  refund: msg('office.payment.refund_text'),
}
type Choice = keyof typeof LABELS

/** The decision about money is sent at once, after a fresh proof; the case stays open until the server has taken it. */
export function PaymentDecision({
  shown: { order, asks },
  onDecided,
}: {
  shown: PaymentCase
  onDecided: () => void
}) {
  const proof = useProof()
  const [choice, setChoice] = useState<Choice>()
  const [reason, setReason] = useState('')
  const id = order.order_id
  const decide = useMutation({
    mutationFn: (given: { decision: Choice; reason: string }) =>
      proof.with(() => api.post('v2/manager/payments/{id}/decide', Object.assign({ id }, given))),
    onSuccess: onDecided,
  })
  const isReady = choice !== undefined && reason.trim() !== '' && !decide.isPending
  return (
    <aside className="flex w-full shrink-0 flex-col gap-4 border-s border-hair p-4 lg:w-[332px] lg:overflow-y-auto">
      {asks && <Question id={id} onCredited={onDecided} />}
      <Choices
        label={t('office.decide.title')}
        choices={(Object.keys(LABELS) as Choice[]).map((value) => ({
          value,
          label: t(LABELS[value]),
        }))}
        value={choice}
        onChange={setChoice}
      />
      {choice && <p className="text-text-2">{t(HINTS[choice])}</p>}
      <TextArea
        label={t('office.decide.reason')}
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {decide.error && <Banner tone="danger">{errorSentence(decide.error)}</Banner>}
      <SubmitDecision
        label={choice ? t(LABELS[choice]) : t('office.decide.choose')}
        disabled={!isReady}
        onPress={() => choice && decide.mutate({ decision: choice, reason: reason.trim() })}
      />
    </aside>
  )
}

/** What the provider says about the order now. */
function Question({ id, onCredited }: { id: number; onCredited: () => void }) {
  const proof = useProof()
  const ask = useMutation({
    mutationFn: () => proof.with(() => api.post('v2/manager/payments/{id}/ask', { id })),
    onSuccess: ({ state }) => {
      if (state !== 'quarantined') onCredited()
    },
  })
  return (
    <div className="flex flex-col gap-2">
      <Button size={36} variant="secondary" busy={ask.isPending} onClick={() => ask.mutate()}>
        {t('office.payment.ask')}
      </Button>
      <div role="status">
        {ask.data &&
          (ask.data.said
            ? t('office.payment.said', { what: stepText(ask.data.said) })
            : t('office.payment.said_nothing'))}
      </div>
      {ask.error && <Banner tone="danger">{errorSentence(ask.error)}</Banner>}
    </div>
  )
}
