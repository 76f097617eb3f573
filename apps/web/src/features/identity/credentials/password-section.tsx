import { useState } from 'react'
import { Button, PasswordField } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useWrongFieldFocus } from '../../../shared/account/wrong-field-focus.ts'
import type { RefusedError } from '../../../shared/app-services.tsx'
import { onSubmit } from '../../../shared/controls/use-press.ts'
import { showToast } from '../../../shared/toasts.ts'
import { newPasswordErrors, passwordCheck, type NewPasswordErrors } from './new-password.ts'
import { useCredentialChange } from './use-credential-change.ts'

interface Values {
  current: string
  password: string
  repeated: string
}
const EMPTY: Values = { current: '', password: '', repeated: '' }
type Errors = NewPasswordErrors & { current?: string | undefined }

/** The change of the password: the present password, and the new password twice. */
export function PasswordSection() {
  const [values, setValues] = useState(EMPTY)
  const [errors, setErrors] = useState<Errors>({})
  const { form, focusWrongField } = useWrongFieldFocus()
  const { busy, change } = useCredentialChange((refused) => {
    const found = findErrors(refused)
    if (!found) return false
    setErrors(found)
    focusWrongField()
    return true
  })

  async function submit(): Promise<void> {
    const { current, password, repeated } = values
    const found = newPasswordErrors(password, repeated)
    setErrors(found)
    if (found.password || found.repeated) return focusWrongField()
    const isChanged = await change({
      password,
      repeat_password: repeated,
      current_password: current,
    })
    if (!isChanged) return
    setValues(EMPTY)
    showToast({ id: 'password-saved', kind: 'success', title: t('password.saved') })
  }

  const field = (name: keyof Values) => ({
    showLabel: t('login.show'),
    hideLabel: t('login.hide'),
    value: values[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [name]: event.currentTarget.value })
      setErrors({ ...errors, [name]: undefined })
    },
  })
  const check = (name: 'password' | 'repeated') => () =>
    values[name] &&
    setErrors({ ...errors, [name]: newPasswordErrors(values.password, values.repeated)[name] })
  return (
    <form
      ref={form}
      noValidate
      className="panel flex flex-col gap-4 p-5"
      onSubmit={onSubmit(submit)}
    >
      <PasswordField
        label={t('password.current')}
        autoComplete="current-password"
        {...field('current')}
      />
      <PasswordField
        label={t('form.new_password')}
        autoComplete="new-password"
        check={passwordCheck(values.password)}
        onBlur={check('password')}
        {...field('password')}
      />
      <PasswordField
        label={t('form.repeat_password')}
        help={t('password.change_help')}
        autoComplete="new-password"
        onBlur={check('repeated')}
        {...field('repeated')}
      />
      <Button type="submit" variant="secondary" className="self-start" busy={busy}>
        {t('password.submit')}
      </Button>
    </form>
  )
}

function findErrors({ refusal }: RefusedError): Errors | undefined {
  switch (refusal) {
    case 'password_required':
      return { current: t('error.password_required') }
    case 'too_many':
      return { current: t('error.too_many') }
    case 'password_weak':
      return { password: t('error.password_weak') }
    case 'passwords_differ':
      return { repeated: t('error.passwords_differ') }
    default:
      return undefined
  }
}
