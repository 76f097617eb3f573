import { useRef } from 'react'
import { Button, Dialog } from '@duet/ui'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'

/** Asks before a favourite is removed: the heart is small and easily pressed by mistake. */
export function RemoveFavouriteDialog({
  open,
  close,
  input: { nick },
}: OpenDialogProps<'remove_favourite'>) {
  const keep = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      role="alertdialog"
      title={t('favourites.remove.title', { nick })}
      description={t('favourites.remove.text')}
      initialFocus={keep}
      actions={
        <>
          <Button ref={keep} onClick={() => close()}>
            {t('action.keep')}
          </Button>
          <Button variant="danger-quiet" onClick={() => close(true)}>
            {t('action.remove')}
          </Button>
        </>
      }
    />
  )
}
