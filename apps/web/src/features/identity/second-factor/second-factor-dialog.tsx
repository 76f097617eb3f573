import { useId, useState } from 'react'
import { Button, Dialog, Field } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import type { OpenDialogProps } from '../../../shared/dialogs.ts'
import { useAppServices } from '../../../shared/app-services.tsx'
import { onSubmit, usePress } from '../../../shared/controls/use-press.ts'
import { toLatinDigits } from '../../../shared/texts/latin-digits.ts'
import { answerWithPasskey, hasPasskeys, isPasskeyDeclined } from './passkeys.ts'

/** Asks for the second factor of an account: a code, or a passkey. */
export function SecondFactorDialog({
  input: given,
  open,
  close,
}: OpenDialogProps<'second_factor'>) {
  const form = useId()
  const [otp, setOtp] = useState('')
  const { connection } = useAppServices()
  const [isWrong, setWrong] = useState(given.is_wrong)
  const { busy, sentence, press, clear } = usePress(
    async () => {
      setWrong(false)
      close({ passkey: await answerWithPasskey(connection.http) })
    },
    (thrown) => isPasskeyDeclined(thrown) && t('factor.passkey_declined'),
  )
  const error = isWrong ? t('factor.wrong') : sentence
  const takesCode = given.methods.includes('otp')
  const takesPasskey = given.methods.includes('passkey') && hasPasskeys()
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      title={t('factor.ask_title')}
      description={t(takesCode ? 'factor.ask_code' : 'factor.ask_passkey')}
      className="md:max-w-[440px]!"
      actions={
        <div className="flex w-full flex-col gap-3">
          {takesCode ? (
            <Button
              type="submit"
              form={form}
              variant="primary"
              size={54}
              wide
              disabled={!otp.trim()}
            >
              {t('action.continue')}
            </Button>
          ) : null}
          {takesPasskey ? (
            <Button
              variant={takesCode ? 'outline' : 'primary'}
              size={54}
              wide
              busy={busy}
              onClick={() => void press()}
            >
              {t('factor.use_passkey')}
            </Button>
          ) : null}
        </div>
      }
    >
      {takesCode ? (
        <form
          id={form}
          noValidate
          onSubmit={onSubmit(() => otp.trim() && close({ otp: otp.trim() }))}
        >
          <Field
            label={t('factor.code')}
            help={t('factor.code_help')}
            dir="ltr"
            autoComplete="one-time-code"
            autoFocus
            maxLength={16}
            value={otp}
            error={error}
            onChange={(event) => {
              setOtp(toLatinDigits(event.currentTarget.value))
              setWrong(false)
              clear()
            }}
          />
        </form>
      ) : (
        <p role="alert" className="note text-danger empty:hidden">
          {takesPasskey ? error : t('factor.no_passkeys')}
        </p>
      )}
    </Dialog>
  )
}
