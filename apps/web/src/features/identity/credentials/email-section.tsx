import { useState } from 'react'
import { Button, Field, PasswordField, Tag } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useWrongFieldFocus } from '../../../shared/account/wrong-field-focus.ts'
import { useAppServices, useOwnUser, type RefusedError } from '../../../shared/app-services.tsx'
import { useSendsMail } from '../../../shared/queries.ts'
import { onSubmit, usePress } from '../../../shared/controls/use-press.ts'
import { showToast } from '../../../shared/toasts.ts'
import { fieldError } from '../registration/register-form.ts'
import { useCredentialChange } from './use-credential-change.ts'

/** The own e-mail address, its confirmation, and the change of the address. */
export function EmailSection() {
  const user = useOwnUser()
  const sendsMail = useSendsMail()
  if (!user?.email) return null
  return (
    <div className="flex flex-col gap-4">
      <div className="panel flex flex-wrap items-center gap-x-4 gap-y-2 p-5">
        <span className="min-w-0 flex-1">
          <span className="note block text-text-3">{t('email.current')}</span>
          <span className="body block truncate">
            <bdi dir="ltr">{user.email}</bdi>
          </span>
        </span>
        {user.email_confirmed || sendsMail ? (
          <Tag tone={user.email_confirmed ? 'ok' : 'warn'}>
            {t(user.email_confirmed ? 'email.confirmed' : 'email.unconfirmed')}
          </Tag>
        ) : null}
        {user.email_confirmed ? null : sendsMail ? (
          <Unconfirmed />
        ) : (
          <p className="note w-full text-text-2">{t('email.no_mail')}</p>
        )}
      </div>
      <ChangeEmail key={user.email} />
    </div>
  )
}

function Unconfirmed() {
  const { connection } = useAppServices()
  const [isSent, setSent] = useState(false)
  const { busy, press: resend } = usePress(async () => {
    await connection.http.post('auth/email/resend')
    setSent(true)
  })
  return (
    <div className="flex w-full flex-wrap items-center justify-between gap-3">
      <p role="status" className="note max-w-[44ch] text-text-2">
        {t(isSent ? 'email.resent' : 'email.unconfirmed_text')}
      </p>
      {isSent ? null : (
        <Button variant="outline" busy={busy} onClick={() => void resend()}>
          {t('email.resend')}
        </Button>
      )}
    </div>
  )
}

interface Errors {
  email?: string | undefined
  current?: string | undefined
}

function ChangeEmail() {
  const sendsMail = useSendsMail()
  const [email, setEmail] = useState('')
  const [current, setCurrent] = useState('')
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
    const found = fieldError('email', email, '')
    setErrors({ email: found })
    if (found) return focusWrongField()
    if (await change({ email: email.trim(), current_password: current }))
      showToast({
        id: 'email-saved',
        kind: 'success',
        title: t(sendsMail ? 'email.saved' : 'email.saved_no_mail'),
      })
  }

  return (
    <form
      ref={form}
      noValidate
      className="panel flex flex-col gap-4 p-5"
      onSubmit={onSubmit(submit)}
    >
      <Field
        label={t('email.new')}
        help={t(sendsMail ? 'email.change_help' : 'email.change_no_mail')}
        type="email"
        dir="ltr"
        autoComplete="email"
        value={email}
        error={errors.email}
        onBlur={() => email && setErrors({ ...errors, email: fieldError('email', email, '') })}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          setErrors({ ...errors, email: undefined })
        }}
      />
      <PasswordField
        label={t('password.current')}
        showLabel={t('login.show')}
        hideLabel={t('login.hide')}
        autoComplete="current-password"
        value={current}
        error={errors.current}
        onChange={(event) => {
          setCurrent(event.currentTarget.value)
          setErrors({ ...errors, current: undefined })
        }}
      />
      <Button type="submit" variant="secondary" className="self-start" busy={busy}>
        {t('email.submit')}
      </Button>
    </form>
  )
}

function findErrors({ refusal }: RefusedError): Errors | undefined {
  if (refusal === 'email_used' || refusal === 'email_invalid')
    return { email: t(`error.${refusal}`) }
  if (refusal === 'password_required') return { current: t('error.password_required') }
  if (refusal === 'too_many') return { email: t('error.too_many') }
  return undefined
}
