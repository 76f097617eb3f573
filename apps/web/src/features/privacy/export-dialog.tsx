import { useId } from 'react'
import { Button, Dialog } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { onSubmit } from '../../shared/controls/use-press.ts'
import { OwnPasswordField, useOwnPassword } from './own-password.tsx'

/** Asks for the password before the copy of the own data is made: an open page is not enough proof. */
export function ExportDialog({ open, close }: OpenDialogProps<'export_data'>) {
  const { connection } = useAppServices()
  const { field, busy, submit } = useOwnPassword((asked) =>
    connection.http.post('account/export', asked),
  )
  const form = useId()
  async function download(): Promise<void> {
    const confirmed = await submit()
    if (confirmed) close({ key: confirmed.answer.key })
  }
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      title={t('privacy.export')}
      description={t('privacy.export_ask')}
      actions={
        <>
          <Button variant="quiet" onClick={() => close()}>
            {t('action.cancel')}
          </Button>
          <Button variant="primary" type="submit" form={form} busy={busy}>
            {t('privacy.export_get')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={onSubmit(download)}>
        <OwnPasswordField {...field} autoFocus />
      </form>
    </Dialog>
  )
}
