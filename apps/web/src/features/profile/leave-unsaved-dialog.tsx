import { useRef } from 'react'
import { Button, Dialog } from '@duet/ui'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'

/** Asks before a navigation discards unsaved input. */
export function LeaveUnsavedDialog({ open, close }: OpenDialogProps<'leave_unsaved'>) {
  const stay = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      role="alertdialog"
      title={t('profile.leave.title')}
      description={t('profile.leave.text')}
      initialFocus={stay}
      actions={
        <>
          <Button variant="danger-quiet" onClick={() => close(true)}>
            {t('action.leave')}
          </Button>
          <Button ref={stay} variant="primary" onClick={() => close()}>
            {t('profile.leave.stay')}
          </Button>
        </>
      }
    />
  )
}
