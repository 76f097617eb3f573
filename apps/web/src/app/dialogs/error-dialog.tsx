import { Button, Dialog } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { errorTexts } from '../errors/error-texts.ts'

/** The dialog for every error that no screen shows. */
export function ErrorDialog({ input: given, open, close }: OpenDialogProps<'error'>) {
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
          {t('action.close')}
        </Button>
      }
    >
      <p className="meta text-text-3" dir="ltr">
        {meta}
      </p>
    </Dialog>
  )
}
