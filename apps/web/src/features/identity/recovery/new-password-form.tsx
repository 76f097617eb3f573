import { useState } from 'react'
import { Button, PasswordField } from '@duet/ui'
import { t, type TextId } from '../../../shared/i18n.ts'
import { useWrongFieldFocus } from '../../../shared/account/wrong-field-focus.ts'
import { RefusedError, useAppServices } from '../../../shared/app-services.tsx'
import { onSubmit, usePress } from '../../../shared/controls/use-press.ts'
import {
  newPasswordErrors,
  passwordCheck,
  type NewPasswordErrors,
} from '../credentials/new-password.ts'

interface NewPasswordFormProps {
  recoveryKey: string
  onDone: () => void
  onInvalid: () => void
}

/** The new password, twice. */
export function NewPasswordForm({ recoveryKey, onDone, onInvalid }: NewPasswordFormProps) {
  const { connection } = useAppServices()
  const { form, focusWrongField } = useWrongFieldFocus()
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [errors, setErrors] = useState<NewPasswordErrors>({})
  const { busy, press } = usePress(
    async () => {
      const found = newPasswordErrors(password, repeated)
      setErrors(found)
      if (found.password || found.repeated) return focusWrongField()
      await connection.http.post('recovery_password', { recoveryKey, password })
      onDone()
    },
    (error) => {
      const fault = error instanceof RefusedError ? findFault(error) : undefined
      if (fault === 'link') onInvalid()
      else if (fault) {
        setErrors({ password: t(fault) })
        focusWrongField()
      }
      return fault !== undefined
    },
  )

  const words = { showLabel: t('login.show'), hideLabel: t('login.hide') }
  return (
    <form ref={form} noValidate className="mt-6 flex flex-col gap-4" onSubmit={onSubmit(press)}>
      <PasswordField
        {...words}
        label={t('form.new_password')}
        autoComplete="new-password"
        check={passwordCheck(password)}
        value={password}
        error={errors.password}
        onBlur={() =>
          password &&
          setErrors({ ...errors, password: newPasswordErrors(password, password).password })
        }
        onChange={(event) => {
          setPassword(event.currentTarget.value)
          setErrors({})
        }}
      />
      <PasswordField
        {...words}
        label={t('form.repeat_password')}
        autoComplete="new-password"
        value={repeated}
        error={errors.repeated}
        onBlur={() => repeated && setErrors(newPasswordErrors(password, repeated))}
        onChange={(event) => {
          setRepeated(event.currentTarget.value)
          setErrors({})
        }}
      />
      <Button type="submit" variant="primary" size={54} wide busy={busy} className="mt-2">
        {t('recovery.submit')}
      </Button>
    </form>
  )
}

/** The link, or the sentence at the password. A link that was cut off is `invalid` before anybody looks for it. */
function findFault({ refusal, additional }: RefusedError): 'link' | TextId | undefined {
  if (refusal === 'recovery_invalid') return 'link'
  if (refusal === 'password_weak') return 'error.password_weak'
  if (refusal !== 'invalid') return undefined
  const fields = Array.isArray(additional.fields) ? (additional.fields as { path?: unknown }[]) : []
  return fields.some(({ path }) => path === 'password') ? 'register.wrong_password' : 'link'
}
