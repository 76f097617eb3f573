import { useState } from 'react'
import { Button, Field, PasswordField } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { type AppServices, RefusedError, useAppServices } from '../../../shared/app-services.tsx'
import { useSentenceFocus } from '../../../shared/account/wrong-field-focus.ts'
import { onSubmit, usePress } from '../../../shared/controls/use-press.ts'
import { withFactor } from '../../../shared/account/second-factor.ts'
import { addPasskey, isPasskeyDeclined } from './passkeys.ts'

/** A change of the second factors, which needs the password. */
export type FactorTask =
  | { readonly type: 'app_on' | 'app_off' | 'add_passkey' }
  | { readonly type: 'remove'; readonly id: string }

interface Offer {
  readonly secret: string
  readonly url: string
}

interface FactorPasswordProps {
  readonly task: FactorTask
  readonly onDone: (offer?: Offer) => void
  readonly onCancel: () => void
}

const TITLES = {
  app_on: 'factor.set_up',
  app_off: 'factor.turn_off',
  add_passkey: 'factor.add_passkey',
  remove: 'action.remove',
} as const
const NAME_MAX_CHARACTERS = 40

/** Asks for the password before a change of the second factors, then makes it. */
export function FactorPassword({ task, onDone, onCancel }: FactorPasswordProps) {
  const { connection } = useAppServices()
  const [password, setPassword] = useState('')
  const [name, setName] = useState('')
  const needsName = task.type === 'add_passkey'
  const { busy, sentence, press, clear } = usePress(async () => {
    const done = await perform(connection.http, task, password, name.trim())
    if (done) onDone(done.answer)
  }, findSentence)
  const form = useSentenceFocus<HTMLFormElement>(sentence)

  return (
    <form
      ref={form}
      noValidate
      className="panel flex flex-col gap-4 p-5"
      onSubmit={onSubmit(press)}
    >
      {needsName ? (
        <Field
          label={t('factor.name')}
          help={t('factor.name_help')}
          maxLength={NAME_MAX_CHARACTERS}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      ) : null}
      <PasswordField
        label={t('password.current')}
        showLabel={t('login.show')}
        hideLabel={t('login.hide')}
        autoComplete="current-password"
        value={password}
        error={sentence}
        onChange={(event) => {
          setPassword(event.currentTarget.value)
          clear()
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="secondary"
          busy={busy}
          disabled={!password || (needsName && !name.trim())}
        >
          {t(TITLES[task.type])}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
      </div>
    </form>
  )
}

function perform(
  http: AppServices['connection']['http'],
  task: FactorTask,
  current_password: string,
  name: string,
): Promise<{ readonly answer: Offer | undefined } | undefined> {
  return withFactor(async (proof): Promise<Offer | undefined> => {
    const body = { current_password, ...proof }
    if (task.type === 'app_on') return http.post('auth/totp/options', body)
    if (task.type === 'app_off') await http.post('auth/totp/delete', body)
    else if (task.type === 'remove')
      await http.post('auth/passkey/delete', { id: task.id, ...body })
    else await addPasskey(http, name, current_password, proof)
    return undefined
  })
}

function findSentence(error: unknown): string | undefined {
  if (isPasskeyDeclined(error)) return t('factor.passkey_declined')
  if (!(error instanceof RefusedError)) return undefined
  if (error.refusal === 'password_required') return t('error.password_required')
  return error.refusal === 'too_many' ? t('error.too_many') : undefined
}
