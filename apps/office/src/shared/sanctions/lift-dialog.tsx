import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { StaffStatement } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { api, sentenceOf } from '../api.ts'
import { t } from '../texts.ts'

interface LiftProps {
  statement: Pick<StaffStatement, 'user'>
  onClose: () => void
  onDone: () => void
}

/** Lifts every ban and suspension of a person, with a reason. */
export function LiftDialog({ statement: { user }, onClose, onDone }: LiftProps) {
  const [reason, setReason] = useState('')
  const lift = useMutation({
    mutationFn: () => api.post('v2/manager/ban/lift', { user_id: user.id, reason: reason.trim() }),
    onSuccess: () => {
      onDone()
      onClose()
    },
  })
  return (
    <Dialog
      open
      title={t('office.sanctions.lift_title', { name: user.nick ?? user.id })}
      description={t('office.sanctions.lift_text')}
      closeLabel={t('action.close')}
      onClose={onClose}
      actions={
        <Button
          variant="primary"
          size={44}
          disabled={reason.trim() === ''}
          busy={lift.isPending}
          onClick={() => lift.mutate()}
        >
          {t('office.sanctions.lift')}
        </Button>
      }
    >
      {lift.error && <Banner tone="danger">{sentenceOf(lift.error)}</Banner>}
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
