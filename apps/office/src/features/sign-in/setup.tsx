import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { renderSVG } from 'uqr'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { PasswordField } from '@duet/ui/fields/password-field.tsx'
import { Spinner } from '@duet/ui/controls/spinner.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { newPasskey } from '../../shared/passkeys.ts'
import { useSessionChange } from '../../shared/session.tsx'
import { t } from '../../shared/texts.ts'
import { EntrancePage } from './entrance-page.tsx'

/** The page of a one-time link, whose token is behind the #. */
export function Setup() {
  const token = useLocation().hash.slice(1)
  const begun = useQuery({
    queryKey: ['setup', token],
    queryFn: () => api.post('v2/manager/setup/begin', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <EntrancePage title={t('office.setup.title')}>
      {begun.isPending && (
        <p role="status" className="flex items-center gap-2 text-text-2">
          <Spinner size="16px" /> {t('office.loading')}
        </p>
      )}
      {begun.error && <Banner tone="danger">{errorSentence(begun.error)}</Banner>}
      {begun.data && <SetupForm token={token} {...begun.data} />}
    </EntrancePage>
  )
}

interface SetupFormProps {
  token: string
  email: string
  totp_secret: string
  totp_uri: string
}

function SetupForm({ token, email, totp_secret, totp_uri }: SetupFormProps) {
  const change = useSessionChange()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [otp, setOtp] = useState('')
  const finish = useMutation({
    mutationFn: async (way: 'code' | 'passkey') => {
      const passkey = way === 'passkey' ? await newPasskey(token) : undefined
      if (way === 'passkey' && !passkey) return false
      const factors = passkey ? { passkey } : { password, otp }
      await api.post('v2/manager/setup/finish', { token, ...factors })
      return true
    },
    onSuccess: async (isDone) => {
      if (!isDone) return
      await navigate('/', { replace: true })
      await change()
    },
  })
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        finish.mutate('code')
      }}
    >
      <p className="text-text-2">{t('office.setup.for', { email })}</p>
      <PasswordField
        label={t('form.new_password')}
        help={t('office.setup.password_help')}
        showLabel={t('office.password.show')}
        hideLabel={t('office.password.hide')}
        autoComplete="new-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <div className="flex flex-wrap items-center gap-4">
        <img
          className="size-[132px] rounded-control bg-white p-2"
          alt={t('office.setup.qr')}
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(totp_uri, { border: 0 }))}`}
        />
        <p className="min-w-0 flex-1 text-text-2">
          {t('office.setup.scan')} <code className="break-all text-text">{totp_secret}</code>
        </p>
      </div>
      <Field
        label={t('office.sign_in.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={11}
        value={otp}
        onChange={(event) => setOtp(event.target.value)}
      />
      {finish.error && <Banner tone="danger">{errorSentence(finish.error)}</Banner>}
      <Button type="submit" variant="primary" size={44} wide busy={finish.isPending}>
        {t('office.setup.submit')}
      </Button>
      <Button variant="secondary" size={44} wide onClick={() => finish.mutate('passkey')}>
        {t('office.setup.passkey')}
      </Button>
    </form>
  )
}
