import { useState } from 'react'
import { Button, CheckboxRow, Dialog } from '@duet/ui'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/app-services.tsx'

/** Whether the user may show items in the adult gallery: it exists here, and the girl is verified. */
export function useMayShowAdult(): boolean {
  const user = useOwnUser()
  return user?.role === 'girl' && user.shows_adult !== undefined && user.info.is_verify
}

/** Asks for the consent to show these items in the adult gallery: only staff take the mark back. */
export function AdultConsentDialog({
  open,
  close,
  input: { kind, count },
}: OpenDialogProps<'adult_consent'>) {
  const [agrees, setAgrees] = useState(false)
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      title={t(`media.adult.${kind}_title`, { count })}
      description={t('media.adult.text')}
      actions={
        <>
          <Button variant="quiet" onClick={() => close()}>
            {t('action.cancel')}
          </Button>
          <Button variant="primary" disabled={!agrees} onClick={() => close(true)}>
            {t('media.adult.confirm')}
          </Button>
        </>
      }
    >
      <CheckboxRow checked={agrees} onChange={setAgrees}>
        {t('media.adult.consent')}
      </CheckboxRow>
    </Dialog>
  )
}
