import { useId, useState } from 'react'
import { isRefused } from '@duet/client'
import { Button, Dialog, Field, PasswordField } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { dialogs, type OpenDialogProps } from '../../shared/dialogs.ts'
import { useAppServices } from '../../shared/app-services.tsx'

export function LoginDialog({ input: given, open, close }: OpenDialogProps<'login'>) {
  const { connection, report } = useAppServices()
  const form = useId()
  const [login, setLogin] = useState(given.email ?? '')
  const [password, setPassword] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [busy, setBusy] = useState(false)

  async function submit(): Promise<void> {
    setBusy(true)
    setWrong(false)
    try {
      await connection.login({ login: login.trim(), password })
      close(true)
    } catch (error) {
      if (isRefused(error, 'AUTH', 'wrong_login')) setWrong(true)
      else report(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('dialog.close')}
      title={t('login.title')}
      description={given.reason ? t('login.registered_only') : undefined}
      className="md:max-w-[440px]!"
      actions={
        <div className="flex w-full flex-col gap-3">
          <p role="alert" className="note text-center text-danger empty:hidden">
            {isWrong ? t('error.wrong_login') : null}
          </p>
          <Button
            type="submit"
            form={form}
            variant="primary"
            size={54}
            wide
            busy={busy}
            disabled={!login || !password}
          >
            {t('login.submit')}
          </Button>
          <Switch onPress={() => dialogs.swap('login', 'register', {})} />
        </div>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit()
        }}
      >
        <Field
          label={t('login.email')}
          type="email"
          dir="ltr"
          autoComplete="username"
          inputMode="email"
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
        />
        <PasswordField
          label={t('login.password')}
          showLabel={t('login.show')}
          hideLabel={t('login.hide')}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  )
}

function Switch({ onPress }: { onPress: () => void }) {
  return (
    <p className="note flex flex-wrap items-center justify-center gap-x-1.5 text-text-2">
      {t('login.no_account')}
      <button
        type="button"
        onClick={onPress}
        className="hit min-h-9 rounded-tag px-1 font-[560] text-ember-hi"
      >
        {t('login.to_register')}
      </button>
    </p>
  )
}
