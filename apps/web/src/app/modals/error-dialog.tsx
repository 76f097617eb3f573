import { Button, Dialog } from '@duet/ui'
import { t } from '../../lib/i18n.ts'
import type { ModalProps } from '../../lib/modals.ts'
import { errorTexts } from '../trouble/error-texts.ts'

/** The one error dialog. */
export function ErrorDialog({ given, open, close }: ModalProps<'error'>) {
  const { title, text, meta } = errorTexts(given)
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      role="alertdialog"
      title={title}
      description={text}
      actions={
        <Button variant="primary" onClick={() => close()}>
          {t('error.close')}
        </Button>
      }
    >
      <p className="meta text-text-3" dir="ltr">
        {meta}
      </p>
    </Dialog>
  )
}
