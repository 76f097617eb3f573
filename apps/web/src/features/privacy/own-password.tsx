import { useState, type ComponentProps } from 'react'
import { PasswordField } from '@duet/ui'
import { withFactor } from '../../shared/account/second-factor.ts'
import { RefusedError, useAppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'

type Proof = Parameters<Parameters<typeof withFactor>[0]>[0]
type Asked = Proof & { readonly password: string }
type FieldProps = Pick<ComponentProps<typeof PasswordField>, 'value' | 'error' | 'onChange'>

/**
 * The password, and the second factor where there is one, for a request that an open page is not enough for. `submit` resolves
 * with the answer, or with undefined after a refusal that the field or the error dialog shows.
 */
export function useOwnPassword() {
  const { report } = useAppServices()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  async function submit<Answer>(request: (asked: Asked) => Promise<Answer>) {
    setBusy(true)
    try {
      return await withFactor((proof) => request({ password, ...proof }))
    } catch (failure) {
      const isWrong = failure instanceof RefusedError && failure.refusal === 'password_required'
      if (isWrong) setError(t('error.password_required'))
      else report(failure)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const field: FieldProps = {
    value: password,
    error,
    onChange: (event) => {
      setPassword(event.currentTarget.value)
      setError(undefined)
    },
  }
  return { field, busy, submit }
}

export function OwnPasswordField(props: FieldProps & { autoFocus?: boolean }) {
  return (
    <PasswordField
      {...props}
      label={t('privacy.ask.password')}
      showLabel={t('login.show')}
      hideLabel={t('login.hide')}
      autoComplete="current-password"
    />
  )
}
