import { useState } from 'react'
import { DateField, Field, SaveBar, Switch, TextArea } from '@duet/ui'
import type { User } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { t } from '../../shared/i18n.ts'
import { useWrongFieldFocus } from '../../shared/account/wrong-field-focus.ts'
import { useOwnField } from '../../shared/account/own-field.ts'
import { RefusedError, useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { onSubmit, usePress } from '../../shared/controls/use-press.ts'
import { showToast } from '../../shared/toasts.ts'
import { useUnsaved } from '../../shared/navigation/unsaved.ts'
import { formatCountry } from '../../shared/texts/person.ts'
import {
  changedFields,
  editsSince,
  errorsOfRefusal,
  fieldError,
  getValues,
  withEdit,
  type PersonalErrors,
  type PersonalField,
  type PersonalValues,
} from './personal-fields.ts'

/** The personal data of the user, saved as a whole. Other users see the nickname, the text and a woman's age. */
export function PersonalForm() {
  const user = useOwnUser()
  return user ? <Form key={user.id} user={user} /> : null
}

function Form({ user }: { user: User }) {
  const [edits, setEdits] = useState<Partial<PersonalValues>>({})
  const values = { ...getValues(user), ...edits }
  const [errors, setErrors] = useState<PersonalErrors>({})
  const { connection } = useAppServices()
  const { form, focusWrongField } = useWrongFieldFocus()
  const { busy, press } = usePress(save, (error) => {
    const found = error instanceof RefusedError ? errorsOfRefusal(error) : undefined
    if (!found) return false
    setErrors(found)
    focusWrongField()
    return true
  })
  const changed = changedFields(values, user)
  const isChanged = Object.keys(changed).length > 0
  useUnsaved(isChanged)

  const today = new Date().toISOString().slice(0, 10)
  const check = (of: PersonalValues, name: PersonalField) => fieldError(name, of[name], today)
  const field = (name: PersonalField) => ({
    value: values[name],
    error: errors[name],
    onBlur: () => setErrors({ ...errors, [name]: check(values, name) }),
  })
  const write = (name: PersonalField, value: string) => {
    setEdits(withEdit(edits, name, value, user))
    if (errors[name]) setErrors({ ...errors, [name]: check({ ...values, [name]: value }, name) })
  }
  async function save(): Promise<void> {
    const names = Object.keys(values) as PersonalField[]
    const found = Object.fromEntries(names.map((name) => [name, check(values, name)]))
    setErrors(found)
    if (names.some((name) => found[name])) return focusWrongField()
    if (!isChanged) return
    const saved = await connection.act('UPDATE_PROFILE', changed)
    // The server removes contacts and outer blanks from the texts, so the form takes the server's record.
    connection.patchUser(saved.user as User)
    // If the user edited a field again before the answer, the field keeps the edit.
    setEdits((now) => editsSince(values, now))
    showToast({ id: 'profile-saved', kind: 'success', title: t('profile.saved') })
  }

  const length = [...values.about].length
  return (
    <form ref={form} noValidate className="flex flex-col gap-4" onSubmit={onSubmit(press)}>
      <div className="panel flex flex-col gap-4 p-5">
        <Field
          label={t('word.nickname')}
          autoComplete="nickname"
          dir={values.nick ? 'auto' : undefined}
          {...field('nick')}
          onChange={(event) => write('nick', event.currentTarget.value)}
        />
        <TextArea
          label={t('profile.about')}
          help={t('profile.about_help')}
          dir={values.about ? 'auto' : undefined}
          counter={t('profile.about_counter', { length, most: limits.about_characters })}
          over={length > limits.about_characters}
          {...field('about')}
          onChange={(event) => write('about', event.currentTarget.value)}
        />
        <DateField
          label={t('word.birthday')}
          help={t(user.role === 'girl' ? 'profile.birthday_girl' : 'profile.birthday_guy')}
          autoComplete="bday"
          {...field('birthday')}
          onChange={(value) => write('birthday', value)}
        />
        <Field
          label={t('profile.phone')}
          help={t('profile.phone_help')}
          type="tel"
          dir="ltr"
          autoComplete="tel"
          {...field('phone')}
          onChange={(event) => write('phone', event.currentTarget.value)}
        />
      </div>
      {user.country ? <CountrySwitch country={user.country} /> : null}
      <SaveBar
        isChanged={isChanged}
        busy={busy}
        labels={{
          save: t('profile.save'),
          discard: t('profile.discard'),
          unsaved: t('profile.unsaved'),
        }}
        onDiscard={() => {
          setEdits({})
          setErrors({})
        }}
      />
    </form>
  )
}

/** Shows nothing without a known country. */
function CountrySwitch({ country }: { country: string }) {
  const [isShown = false, show] = useOwnField('show_country')
  return (
    <div className="panel px-5 py-2.5">
      <Switch
        label={t('profile.show_country')}
        help={t('profile.show_country_help', { country: formatCountry(country) })}
        checked={isShown}
        onChange={show}
      />
    </div>
  )
}
