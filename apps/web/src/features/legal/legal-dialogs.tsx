import { Button, Dialog } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { LegalText, type LegalDocument } from './legal-text.tsx'

export function TermsDialog({ open, close }: OpenDialogProps<'terms'>) {
  return <LegalDialog document="terms" open={open} close={() => close()} />
}

export function PrivacyDialog({ open, close }: OpenDialogProps<'privacy'>) {
  return <LegalDialog document="privacy" open={open} close={() => close()} />
}

function LegalDialog({
  document,
  open,
  close,
}: {
  document: LegalDocument
  open: boolean
  close: () => void
}) {
  return (
    <Dialog
      open={open}
      onClose={close}
      closeLabel={t('action.close')}
      size={640}
      title={t(`law.${document}.title`)}
      actions={
        <Button variant="secondary" size={54} wide onClick={close}>
          {t('action.back')}
        </Button>
      }
    >
      <LegalText document={document} />
    </Dialog>
  )
}
