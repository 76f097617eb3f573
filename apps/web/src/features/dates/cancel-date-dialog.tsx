import { useRef } from 'react'
import { Button, Dialog } from '@duet/ui'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'

/** Asks before a date is cancelled, and says what it costs. */
export function CancelDateDialog({
  open,
  close,
  input: { nick, text },
}: OpenDialogProps<'cancel_date'>) {
  const keep = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      role="alertdialog"
      title={t('dates.cancel_title', { nick })}
      description={text}
      initialFocus={keep}
      actions={
        <>
          <Button ref={keep} onClick={() => close()}>
            {t('dates.cancel_keep')}
          </Button>
          <Button variant="danger-quiet" onClick={() => close(true)}>
            {t('dates.cancel')}
          </Button>
        </>
      }
    />
  )
}
