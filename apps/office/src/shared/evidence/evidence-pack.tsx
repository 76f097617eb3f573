import { useMutation } from '@tanstack/react-query'
import texts from '@duet/locales/en/office-payments.json'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { api, errorSentence } from '../api.ts'
import { useProof } from '../prove/prove.tsx'
import { saveFile } from '../save-file.ts'
import { addTexts, t } from '../texts.ts'

// Pages of other features show it, too.
addTexts(texts)

/** Downloads what proves an order in a dispute, after a fresh proof. Only readers of orders see it: finance and owners. */
export function EvidencePack({ order }: { order: number }) {
  const proof = useProof()
  const save = useMutation({
    mutationFn: () =>
      proof.with(() => api.download('v2/manager/payments/{id}/evidence', { id: order })),
    onSuccess: (file) => saveFile(file, `evidence-${order}.json`),
  })
  return (
    <div className="flex flex-col items-start gap-2">
      <Button size={36} variant="outline" busy={save.isPending} onClick={() => save.mutate()}>
        {t('office.payment.evidence')}
      </Button>
      <p className="text-text-2">{t('office.payment.evidence_text')}</p>
      {save.error && <Banner tone="danger">{errorSentence(save.error)}</Banner>}
    </div>
  )
}
