import { useId, useState } from 'react'
import { Button, DateField, Dialog, Field, PasswordField } from '@duet/ui'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { useWrongFieldFocus } from '../../../shared/account/wrong-field-focus.ts'
import { confirmAdult } from '../../../shared/account/age-confirmation.ts'
import { t } from '../../../shared/i18n.ts'
import { dialogs, type OpenDialogProps } from '../../../shared/dialogs.ts'
import { RefusedError, useOwnUser, useAppServices } from '../../../shared/app-services.tsx'
import { onSubmit, usePress } from '../../../shared/controls/use-press.ts'
import {
  AgeConfirmationRows,
  isComplete,
  GenderSegment,
  UNANSWERED,
  type AgeConfirmation,
} from '../age-confirmation-rows.tsx'
import {
  fieldError,
  refusalAtFields,
  latestBirthday,
  type FieldErrors,
  type FieldName,
  type RegistrationForm,
} from './register-form.ts'

const today = () => new Date().toISOString().slice(0, 10)

export function RegisterDialog({ input: given, open, close }: OpenDialogProps<'register'>) {
  const services = useAppServices()
  const user = useOwnUser()
  const form = useId()
  const { form: fields, focusWrongField } = useWrongFieldFocus()
  const [values, setValues] = useState<RegistrationForm>({
    nick: '',
    email: '',
    password: '',
    birthday: '',
  })
  const [errors, setErrors] = useState<FieldErrors>({})
  const [answers, setConfirmation] = useState<AgeConfirmation>(UNANSWERED)
  const asksAge = !user?.age_confirmed
  const confirmation = {
    ...answers,
    gender: answers.gender ?? user?.gender ?? null,
    ...(!asksAge && { isAdult: true, acceptsTerms: true }),
  }

  const field = (name: FieldName) => ({
    value: values[name],
    error: errors[name],
    onBlur: () =>
      values[name] && setErrors({ ...errors, [name]: fieldError(name, values[name], today()) }),
  })
  const write = (name: FieldName, value: string) => {
    setValues({ ...values, [name]: value })
    if (errors[name]) setErrors({ ...errors, [name]: fieldError(name, value, today()) })
  }

  async function register(): Promise<void> {
    const names = Object.keys(values) as FieldName[]
    const found = Object.fromEntries(
      names.map((name) => [name, fieldError(name, values[name], today())]),
    )
    setErrors(found)
    if (names.some((name) => found[name])) return focusWrongField()
    if (!isComplete(confirmation)) return
    await confirmAdult(services)
    // Only the registration fixes the gender. After a refusal the user can still change the gender.
    await services.connection.register({
      ...values,
      nick: values.nick.trim(),
      email: values.email.trim(),
      gender: confirmation.gender,
    })
    services.persistence.set('age_accepted', true)
    services.persistence.set('sex', confirmation.gender)
    close(true)
    dialogs.open('register_success', {})
  }
  const { busy, press } = usePress(register, (error) => {
    const atFields = error instanceof RefusedError ? refusalAtFields(error) : undefined
    if (!atFields) return false
    setErrors(atFields)
    focusWrongField()
    return true
  })

  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      title={t('register.title')}
      description={t(given.reason ? 'register.registered_only' : 'register.text')}
      className="md:max-w-[440px]!"
      actions={
        <div className="flex w-full flex-col gap-3">
          <Button
            type="submit"
            form={form}
            variant="primary"
            size={54}
            wide
            busy={busy}
            disabled={!isComplete(confirmation)}
          >
            {t('action.create_account')}
          </Button>
          {isComplete(confirmation) ? null : (
            <p className="meta text-center text-text-3">{t('age.missing')}</p>
          )}
          <p className="note flex flex-wrap items-center justify-center gap-x-1.5 text-text-2">
            {t('register.has_account')}
            <button
              type="button"
              onClick={() => dialogs.swap('register', 'login', {})}
              className="hit min-h-9 rounded-tag px-1 font-[560] text-ember-hi"
            >
              {t('action.log_in')}
            </button>
          </p>
        </div>
      }
    >
      <form
        id={form}
        ref={fields}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={onSubmit(press)}
      >
        <GenderSegment confirmation={confirmation} onChange={setConfirmation} />
        <Field
          label={t('word.nickname')}
          autoComplete="nickname"
          {...field('nick')}
          onChange={(event) => write('nick', event.currentTarget.value)}
        />
        <Field
          label={t('word.email')}
          type="email"
          dir="ltr"
          autoComplete="email"
          {...field('email')}
          onChange={(event) => write('email', event.currentTarget.value)}
        />
        <PasswordField
          label={t('word.password')}
          showLabel={t('login.show')}
          hideLabel={t('login.hide')}
          autoComplete="new-password"
          check={{
            text: t('register.password_check', { count: limits.password_characters_min }),
            passed: [...values.password].length >= limits.password_characters_min,
          }}
          {...field('password')}
          onChange={(event) => write('password', event.currentTarget.value)}
        />
        <DateField
          label={t('word.birthday')}
          help={t('register.birthday_help')}
          max={latestBirthday(today())}
          autoComplete="bday"
          {...field('birthday')}
          onChange={(value) => write('birthday', value)}
        />
        {asksAge ? (
          <AgeConfirmationRows confirmation={confirmation} onChange={setConfirmation} />
        ) : null}
      </form>
    </Dialog>
  )
}
