import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { PasswordField } from '@duet/ui/fields/password-field.tsx'
import { api, isRefused, errorSentence } from '../../shared/api.ts'
import { answerByPasskey } from '../../shared/passkeys.ts'
import { useSessionChange } from '../../shared/session.tsx'
import { t } from '../../shared/texts.ts'
import { EntrancePage } from './entrance-page.tsx'

/** The entrance: a passkey, or password and one-time code. */
export function SignIn() {
  const change = useSessionChange()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [otp, setOtp] = useState('')
  const [wantsCode, setWantsCode] = useState(false)
  const signIn = useMutation({
    onMutate: () => byPasskey.reset(),
    mutationFn: () =>
      api.post('v2/manager/sign-in', { email: email.trim(), password, ...(otp && { otp }) }),
    onSuccess: change,
    onError: (error) => {
      if (isRefused(error, 'second_factor')) setWantsCode(true)
    },
  })
  const byPasskey = useMutation({
    mutationFn: async () => {
      const passkey = await answerByPasskey()
      if (passkey) await api.post('v2/manager/sign-in', { passkey })
    },
    onSuccess: change,
  })
  // The first refusal only asks for the code.
  const isAsking = isRefused(signIn.error, 'second_factor') && otp === ''
  const error = byPasskey.error ?? (isAsking ? null : signIn.error)
  return (
    <EntrancePage title={t('office.sign_in.title')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate()
        }}
      >
        <Field
          label={t('word.email')}
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordField
          label={t('word.password')}
          showLabel={t('office.password.show')}
          hideLabel={t('office.password.hide')}
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {wantsCode && (
          <Field
            label={t('office.sign_in.code')}
            help={t('office.sign_in.code_help')}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            required
            maxLength={11}
            value={otp}
            onChange={(event) => setOtp(event.target.value)}
          />
        )}
        {error && <Banner tone="danger">{errorSentence(error)}</Banner>}
        <Button type="submit" variant="primary" size={44} wide busy={signIn.isPending}>
          {t('office.sign_in.submit')}
        </Button>
        <Button variant="secondary" size={44} wide onClick={() => byPasskey.mutate()}>
          {t('office.sign_in.passkey')}
        </Button>
      </form>
      <DemoEntrance />
    </EntrancePage>
  )
}

/** In a demo installation its moderator and owner sign in by one press. */
function DemoEntrance() {
  const change = useSessionChange()
  const { data: system } = useQuery({ queryKey: ['system'], queryFn: () => api.get('system') })
  const enter = useMutation({
    mutationFn: (staff_role: 'moderator' | 'owner') =>
      api.post('v2/manager/demo-sign-in', { staff_role }),
    onSuccess: change,
  })
  if (!system?.demo) return null
  return (
    <section className="flex flex-col gap-3 border-t border-hair pt-5">
      <h2 className="text-text-2">{t('office.demo.title')}</h2>
      <div className="flex gap-3">
        <Button variant="outline" size={44} wide onClick={() => enter.mutate('moderator')}>
          {t('office.role.moderator')}
        </Button>
        <Button variant="outline" size={44} wide onClick={() => enter.mutate('owner')}>
          {t('office.role.owner')}
        </Button>
      </div>
      {enter.error && <Banner tone="danger">{errorSentence(enter.error)}</Banner>}
    </section>
  )
}
