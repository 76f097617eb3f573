import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { StaffStatement } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { api, errorSentence } from '../api.ts'
import { t, textOr } from '../texts.ts'
import { liftWord } from './lift-word.ts'
import { standingSentence } from './standing-sentence.ts'

interface LiftProps {
  statement: StaffStatement
  onClose: () => void
  onDone: () => void
}

/** Takes an act back, with a reason. */
export function LiftDialog({ statement: { id, user, kind }, onClose, onDone }: LiftProps) {
  const [reason, setReason] = useState('')
  /** After the act: what is not as before. The dialog stays open for it. */
  const [told, setTold] = useState<string>()
  const lift = useMutation({
    mutationFn: () => api.post('v2/manager/statements/{id}/undo', { id, reason: reason.trim() }),
    onSuccess: ({ restored, standing }) => {
      onDone()
      const sentence =
        restored === false ? t('office.sanctions.not_restored') : standingSentence(standing)
      if (sentence === undefined) onClose()
      else setTold(sentence)
    },
  })
  return (
    <Dialog
      open
      title={t('office.sanctions.lift_title', {
        what: textOr(`office.statement.${kind}`, kind),
        name: user.nick ?? user.id,
      })}
      description={t('office.sanctions.undo_text')}
      closeLabel={t('action.close')}
      onClose={onClose}
      actions={
        <Button
          variant="primary"
          size={44}
          disabled={reason.trim() === '' || told !== undefined}
          busy={lift.isPending}
          onClick={() => lift.mutate()}
        >
          {liftWord(kind)}
        </Button>
      }
    >
      {lift.error && <Banner tone="danger">{errorSentence(lift.error)}</Banner>}
      {told !== undefined && <Banner tone="danger">{told}</Banner>}
      <TextArea
        label={t('office.audit.reason')}
        rows={3}
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  )
}
