import { useId, useState } from 'react'
import { Button, Dialog, Field } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { dialogs, type OpenDialogProps } from '../../../shared/dialogs.ts'
import { useWrongFieldFocus } from '../../../shared/account/wrong-field-focus.ts'
import { RefusedError, useAppServices } from '../../../shared/app-services.tsx'
import { onSubmit, usePress } from '../../../shared/controls/use-press.ts'
import { useSendsMail } from '../../../shared/queries.ts'
import { fieldError } from '../registration/register-form.ts'

/** Without mails there is no link. The operator of the installation helps. */
export function RecoveryDialog(props: OpenDialogProps<'recovery'>) {
  return useSendsMail() ? <AddressDialog {...props} /> : <NoMailDialog {...props} />
}

function NoMailDialog({ input, open, close }: OpenDialogProps<'recovery'>) {
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      title={t('form.forgot_password')}
      description={t('recovery.no_mail')}
      className="md:max-w-[440px]!"
      actions={
        <Button
          variant="primary"
          size={54}
          wide
          onClick={() => dialogs.swap('recovery', 'login', input)}
        >
          {t('recovery.to_login')}
        </Button>
      }
    />
  )
}

/** Asks for the address that receives the link. The answer is the same for every address. */
function AddressDialog({ input: given, open, close }: OpenDialogProps<'recovery'>) {
  const { connection } = useAppServices()
  const form = useId()
  const { form: fields, focusWrongField } = useWrongFieldFocus()
  const [email, setEmail] = useState(given.email ?? '')
  const [error, setError] = useState<string>()
  const [sentTo, setSentTo] = useState<string>()
  const { busy, press } = usePress(
    async () => {
      const found = fieldError('email', email, '')
      setError(found)
      if (found) return focusWrongField()
      await connection.http.get('forgot_password', { email: email.trim() })
      setSentTo(email.trim())
    },
    (thrown) => {
      const isShown = thrown instanceof RefusedError && thrown.refusal === 'too_many'
      if (isShown) setError(t('error.too_many'))
      return isShown
    },
  )

  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      title={t(sentTo ? 'recovery.sent_title' : 'form.forgot_password')}
      description={sentTo ? t('recovery.sent_text', { email: sentTo }) : t('recovery.ask_text')}
      className="md:max-w-[440px]!"
      actions={
        <div className="flex w-full flex-col gap-3">
          {sentTo ? null : (
            <Button type="submit" form={form} variant="primary" size={54} wide busy={busy}>
              {t('recovery.ask_submit')}
            </Button>
          )}
          <Button
            variant={sentTo ? 'primary' : 'quiet'}
            size={sentTo ? 54 : 44}
            wide
            onClick={() =>
              dialogs.swap('recovery', 'login', email.trim() ? { email: email.trim() } : {})
            }
          >
            {t('recovery.to_login')}
          </Button>
        </div>
      }
    >
      {sentTo ? null : (
        <form id={form} ref={fields} noValidate onSubmit={onSubmit(press)}>
          <Field
            label={t('word.email')}
            type="email"
            dir="ltr"
            autoComplete="username"
            inputMode="email"
            value={email}
            error={error}
            onBlur={() => email && setError(fieldError('email', email, ''))}
            onChange={(event) => {
              setEmail(event.currentTarget.value)
              if (error) setError(fieldError('email', event.currentTarget.value, ''))
            }}
          />
        </form>
      )}
    </Dialog>
  )
}
