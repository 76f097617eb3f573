import { Button, Dialog } from '@duet/ui'
import { t } from '../../lib/i18n.ts'
import type { ModalProps } from '../../lib/modals.ts'
import { LawText, type Law } from './law-text.tsx'

export function TermsDialog({ open, close }: ModalProps<'terms'>) {
  return <LawDialog law="terms" open={open} close={() => close()} />
}

export function PrivacyDialog({ open, close }: ModalProps<'privacy'>) {
  return <LawDialog law="privacy" open={open} close={() => close()} />
}

function LawDialog({ law, open, close }: { law: Law; open: boolean; close: () => void }) {
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
      <LawText law={law} />
    </Dialog>
  )
}
