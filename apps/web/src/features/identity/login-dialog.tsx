import { useId, useRef, useState } from 'react'
import { Button, Dialog, Field, PasswordField } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { dialogs, type OpenDialogProps } from '../../shared/dialogs.ts'
import { entryParams } from '../../shared/navigation/entry-params.ts'
import { withFactor } from '../../shared/account/second-factor.ts'
import { answerWithPasskey, hasPasskeys, isPasskeyDeclined } from './second-factor/passkeys.ts'
import { RefusedError, useAppServices } from '../../shared/app-services.tsx'
import { onSubmit, usePress } from '../../shared/controls/use-press.ts'

export function LoginDialog({ input: given, open, close }: OpenDialogProps<'login'>) {
  const { connection } = useAppServices()
  const form = useId()
  const fields = useRef<HTMLFormElement>(null)
  const [login, setLogin] = useState(given.email ?? entryParams().email ?? '')
  const [password, setPassword] = useState('')
  const { busy, sentence, press } = usePress(async (logIn: () => Promise<boolean>) => {
    if (await logIn()) close(true)
  }, findSentence)

  const byPassword = async () => {
    const given = { login: login.trim(), password }
    return (await withFactor((proof) => connection.login({ ...given, ...proof }))) !== undefined
  }
  const byPasskey = async () => {
    await connection.login({ passkey: await answerWithPasskey(connection.http) })
    return true
  }
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      title={t('login.title')}
      description={given.reason ? t('login.registered_only') : undefined}
      className="md:max-w-[440px]!"
      actions={
        <div className="flex w-full flex-col gap-3">
          <p role="alert" className="note text-center text-danger empty:hidden">
            {sentence}
          </p>
          <Button type="submit" form={form} variant="primary" size={54} wide busy={busy}>
            {t('action.log_in')}
          </Button>
          {hasPasskeys() ? (
            <Button variant="outline" wide disabled={busy} onClick={() => void press(byPasskey)}>
              {t('login.passkey')}
            </Button>
          ) : null}
          <Switch onPress={() => dialogs.swap('login', 'register', {})} />
        </div>
      }
    >
      <form
        id={form}
        ref={fields}
        className="flex flex-col gap-4"
        onSubmit={onSubmit(() => {
          const empty = [...fields.current!.querySelectorAll('input')].find(({ value }) => !value)
          return empty ? empty.focus() : press(byPassword)
        })}
      >
        <Field
          label={t('word.email')}
          type="email"
          dir="ltr"
          autoComplete="username"
          inputMode="email"
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
        />
        <PasswordField
          label={t('word.password')}
          showLabel={t('login.show')}
          hideLabel={t('login.hide')}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <button
          type="button"
          onClick={() => dialogs.swap('login', 'recovery', login ? { email: login } : {})}
          className="hit note self-start rounded-tag px-1 text-text-2 underline underline-offset-3 hover:text-text"
        >
          {t('form.forgot_password')}
        </button>
      </form>
    </Dialog>
  )
}

/** The sentence above the button. Other errors go to the error dialog. */
function findSentence(error: unknown): string | undefined {
  if (isPasskeyDeclined(error)) return t('factor.passkey_declined')
  if (!(error instanceof RefusedError)) return undefined
  if (error.refusal === 'wrong_login') return t('error.wrong_login')
  if (error.refusal === 'captcha_required') return t('error.captcha_required')
  return error.refusal === 'too_many' ? t('error.too_many') : undefined
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
