import { Button, Dialog } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { LegalText, type LegalDocument } from './legal-text.tsx'

export function TermsDialog({ open, close }: OpenDialogProps<'terms'>) {
  return <LegalDialog law="terms" open={open} close={() => close()} />
}

export function PrivacyDialog({ open, close }: OpenDialogProps<'privacy'>) {
  return <LegalDialog law="privacy" open={open} close={() => close()} />
}

function LegalDialog({
  law,
  open,
  close,
}: {
  law: LegalDocument
  open: boolean
  close: () => void
}) {
  return (
    <Dialog
      open={open}
      onClose={close}
      closeLabel={t('dialog.close')}
      size={640}
      title={t(`law.${law}.title`)}
      actions={
        <Button variant="secondary" size={54} wide onClick={close}>
          {t('law.read')}
        </Button>
      }
    >
      <LegalText law={law} />
    </Dialog>
  )
}
