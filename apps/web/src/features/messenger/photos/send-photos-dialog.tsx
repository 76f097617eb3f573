import { useEffect, useState } from 'react'
import { Button, Dialog } from '@duet/ui'
import type { OpenDialogProps } from '../../../shared/dialogs.ts'
import { t } from '../../../shared/i18n.ts'

/** Asks before photos are sent: the user cannot take a sent photo back, and a photo may cost money. */
export function SendPhotosDialog({ open, close, input }: OpenDialogProps<'send_photos'>) {
  const { photos, nick, credits } = input
  const count = photos.length
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      title={t('messenger.photo.ask', { count, nick })}
      description={
        credits > 0
          ? t('messenger.photo.ask_credit', { count, credits: count * credits })
          : t('messenger.photo.ask_free')
      }
      actions={
        <>
          <Button variant="quiet" onClick={() => close()}>
            {t('action.cancel')}
          </Button>
          <Button variant="primary" onClick={() => close(true)}>
            {t('messenger.photo.send', { count })}
          </Button>
        </>
      }
    >
      <ul className="grid grid-cols-3 gap-2">
        {photos.map((photo, index) => (
          <li key={index}>
            <Preview photo={photo} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function Preview({ photo }: { photo: File }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(photo)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [photo])
  return (
    <img
      src={address}
      alt={photo.name}
      className="aspect-square w-full rounded-row bg-surface-4 object-cover"
    />
  )
}
