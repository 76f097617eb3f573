import { Button, Dialog } from '@duet/ui'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'

/** A gift that was given outside of a call has arrived. */
export function PresentSuccessDialog({ input, open, close }: OpenDialogProps<'present_success'>) {
  const { person, gift } = input
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      align="center"
      closeLabel={t('action.close')}
      emblem={<img src={gift.image} alt="" width={96} height={96} className="mx-auto size-24" />}
      title={t('gift.given', { nick: person.nick, gift: gift.name })}
      description={t('gift.given_text', { nick: person.nick })}
      actions={
        <Button variant="primary" size={54} wide onClick={() => close(true)}>
          {t('action.close')}
        </Button>
      }
    />
  )
}
