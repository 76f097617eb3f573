import { useId, useState } from 'react'
import { Button, Dialog, PasswordField } from '@duet/ui'
import { withFactor } from '../../shared/account/second-factor.ts'
import { RefusedError, useAppServices } from '../../shared/app-services.tsx'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'

/** Asks for the password before the copy of the own data is made: an open page is not enough for it. */
export function ExportDialog({ open, close }: OpenDialogProps<'export_data'>) {
  const { connection, report } = useAppServices()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useId()
  async function submit(): Promise<void> {
    setBusy(true)
    try {
      const confirmed = await withFactor((proof) =>
        connection.http.post('account/export', { password, ...proof }),
      )
      if (confirmed) close({ key: confirmed.answer.key })
    } catch (failure) {
      const isWrong = failure instanceof RefusedError && failure.refusal === 'password_required'
      if (isWrong) setError(t('error.password_required'))
      else report(failure)
    } finally {
      setBusy(false)
    }
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
            {t('privacy.export_cancel')}
          </Button>
          <Button variant="primary" type="submit" form={form} busy={busy}>
            {t('privacy.export_get')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <PasswordField
          label={t('privacy.ask.password')}
          showLabel={t('login.show')}
          hideLabel={t('login.hide')}
          autoComplete="current-password"
          autoFocus
          value={password}
          error={error}
          onChange={(event) => {
            setPassword(event.currentTarget.value)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
