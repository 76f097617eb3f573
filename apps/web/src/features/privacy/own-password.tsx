import { useState, type ComponentProps } from 'react'
import { PasswordField } from '@duet/ui'
import { useSentenceFocus } from '../../shared/account/wrong-field-focus.ts'
import { withFactor } from '../../shared/account/second-factor.ts'
import { RefusedError } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { usePress } from '../../shared/controls/use-press.ts'

type Proof = Parameters<Parameters<typeof withFactor>[0]>[0]
type Asked = Proof & { readonly password: string }
type FieldProps = Pick<ComponentProps<typeof PasswordField>, 'value' | 'error' | 'onChange'>

/**
 * Asks for the password, and for the second factor if the account has a second factor. For such a request an open page
 * is not enough proof. `submit` resolves to the answer. If the field or the error dialog shows a refusal, `submit`
 * resolves to undefined.
 */
export function useOwnPassword<Answer>(request: (asked: Asked) => Promise<Answer>) {
  const [password, setPassword] = useState('')
  const { busy, sentence, press, clear } = usePress(
    () => withFactor((proof) => request({ password, ...proof })),
    (error) =>
      error instanceof RefusedError &&
      error.refusal === 'password_required' &&
      t('error.password_required'),
  )
  const field: FieldProps = {
    value: password,
    error: sentence,
    onChange: (event) => {
      setPassword(event.currentTarget.value)
      clear()
    },
  }
  return { field, busy, submit: press }
}

export function OwnPasswordField(props: FieldProps & { autoFocus?: boolean }) {
  const field = useSentenceFocus<HTMLDivElement>(props.error)
  return (
    <div ref={field}>
      <PasswordField
        {...props}
        label={t('privacy.ask.password')}
        showLabel={t('login.show')}
        hideLabel={t('login.hide')}
        autoComplete="current-password"
      />
    </div>
  )
}
