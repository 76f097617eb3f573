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

interface LiftProps {
  statement: StaffStatement
  onClose: () => void
  onDone: () => void
}

/** Takes an act back, with a reason. A suspension ends with every ban of the person. */
export function LiftDialog({ statement: { id, user, kind }, onClose, onDone }: LiftProps) {
  const [reason, setReason] = useState('')
  const [isGone, setGone] = useState(false)
  const lift = useMutation({
    mutationFn: async () => {
      const given = { reason: reason.trim() }
      if (kind !== 'suspension')
        return api.post('v2/manager/statements/{id}/undo', { id, ...given })
      await api.post('v2/manager/ban/lift', { user_id: user.id, ...given })
      return { restored: null }
    },
    onSuccess: ({ restored }) => {
      onDone()
      if (restored === false) setGone(true)
      else onClose()
    },
  })
  return (
    <Dialog
      open
      title={t('office.sanctions.lift_title', {
        what: textOr(`office.statement.${kind}`, kind),
        name: user.nick ?? user.id,
      })}
      description={
        kind === 'suspension' ? t('office.sanctions.lift_text') : t('office.sanctions.undo_text')
      }
      closeLabel={t('action.close')}
      onClose={onClose}
      actions={
        <Button
          variant="primary"
          size={44}
          disabled={reason.trim() === '' || isGone}
          busy={lift.isPending}
          onClick={() => lift.mutate()}
        >
          {liftWord(kind)}
        </Button>
      }
    >
      {lift.error && <Banner tone="danger">{errorSentence(lift.error)}</Banner>}
      {isGone && <Banner tone="danger">{t('office.sanctions.not_restored')}</Banner>}
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
