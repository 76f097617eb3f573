import type { ProfileChange, User } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { RefusedError } from '../../shared/app-services.tsx'
import { hasText, t, type TextId } from '../../shared/i18n.ts'

export type PersonalField = 'nick' | 'about' | 'birthday' | 'phone'
export type PersonalValues = Readonly<Record<PersonalField, string>>
export type PersonalErrors = Partial<Record<PersonalField, string | undefined>>

/** The values of the form's fields for this record. */
export function getValues({ nick, about, birthday, phone }: User): PersonalValues {
  return { nick: nick ?? '', about, birthday: birthday ?? '', phone: phone ?? '' }
}

/** Returns the edited fields. A field with the value of the record is not an edit, so the field follows the record. */
export function withEdit(
  edits: Partial<PersonalValues>,
  name: PersonalField,
  value: string,
  user: User,
): Partial<PersonalValues> {
  const { [name]: _, ...others } = edits
  return value === getValues(user)[name] ? others : { ...others, [name]: value }
}

/** The edits that the user made after the values were sent. */
export function editsSince(
  sent: PersonalValues,
  edits: Partial<PersonalValues>,
): Partial<PersonalValues> {
  const isNewer = ([name, value]: [string, string]) => value !== sent[name as PersonalField]
  return Object.fromEntries(Object.entries(edits).filter(isNewer))
}

/** The fields whose value differs from the record, in the form that UPDATE_PROFILE takes. */
export function changedFields(values: PersonalValues, user: User): ProfileChange {
  const before = getValues(user)
  const nick = values.nick.trim()
  const phone = values.phone.trim()
  return {
    ...(nick !== before.nick.trim() && { nick }),
    ...(values.about !== before.about && { about: values.about }),
    ...(values.birthday !== before.birthday && { birthday: values.birthday }),
    ...(phone !== before.phone && { phone: phone === '' ? null : phone }),
  }
}

/** The error that a field shows when the field loses the focus. The server checks the value again. */
export function fieldError(name: PersonalField, value: string, today: string): string | undefined {
  const length = [...value.trim()].length
  if (name === 'nick' && length < limits.nick_characters_min) return t('error.nick_short')
  if (name === 'nick' && length > limits.nick_characters) return t('error.name_long')
  if (name === 'about' && [...value].length > limits.about_characters) return t('error.about_long')
  if (name === 'birthday' && !(value !== '' && value <= latestBirthday(today)))
    return t('error.birthday_invalid')
  return undefined
}

/** The latest birthday of an adult. Both dates are `YYYY-MM-DD`. */
function latestBirthday(today: string): string {
  return `${String(Number(today.slice(0, 4)) - limits.age_years).padStart(4, '0')}${today.slice(4)}`
}

const FIELD_OF_REFUSAL: Readonly<Record<string, PersonalField>> = {
  nick_short: 'nick',
  name_short: 'nick',
  name_long: 'nick',
  about_long: 'about',
  birthday_invalid: 'birthday',
  birthday_fixed: 'birthday',
}

/** The errors that a refusal shows beside the fields. If the refusal concerns no field, returns undefined. */
export function errorsOfRefusal({ refusal, additional }: RefusedError): PersonalErrors | undefined {
  const field = FIELD_OF_REFUSAL[refusal]
  const id = `error.${refusal}`
  if (field && hasText(id)) return { [field]: t(id as TextId) }
  const refused = Array.isArray(additional.fields)
    ? (additional.fields as { path?: unknown }[])
    : []
  const named = (['nick', 'phone'] as const).filter((name) =>
    refused.some(({ path }) => path === name),
  )
  return named.length > 0
    ? Object.fromEntries(named.map((name) => [name, t(`profile.wrong_${name}`)]))
    : undefined
}
