import { limits } from '@duet/protocol/kernel/limits.ts'
import type { AnsweredRefusal } from '@duet/client'
import type { RefusedError } from '../../../shared/app-services.tsx'
import { hasText, t, type TextId } from '../../../shared/i18n.ts'

export interface RegistrationForm {
  nick: string
  email: string
  password: string
  birthday: string
}
export type FieldName = keyof RegistrationForm
export type FieldErrors = Partial<Record<FieldName, string>>

/** The field that a refusal is about. */
const FIELDS: Readonly<Partial<Record<AnsweredRefusal, FieldName>>> = {
  email_used: 'email',
  passwords_differ: 'password',
  password_weak: 'password',
  name_short: 'nick',
  name_long: 'nick',
  email_invalid: 'email',
  nick_short: 'nick',
  birthday_invalid: 'birthday',
}

/** The error of a single field when it loses the focus. The server checks again. */
export function fieldError(name: FieldName, value: string, today: string): string | undefined {
  const trimmed = value.trim()
  if (name === 'nick' && [...trimmed].length < limits.nick_characters_min)
    return t('error.name_short')
  if (name === 'nick' && [...trimmed].length > limits.nick_characters) return t('error.name_long')
  if (name === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(trimmed))
    return t('error.email_invalid')
  if (name === 'password' && [...value].length < limits.password_characters_min)
    return passwordShort()
  if (name === 'birthday' && !(value !== '' && value <= latestBirthday(today)))
    return t('error.birthday_invalid')
  return undefined
}

export function passwordShort(): string {
  return t('register.password_short', { count: limits.password_characters_min })
}

/** The latest birthday of an adult. Both dates as `YYYY-MM-DD`. */
export function latestBirthday(today: string): string {
  return `${String(Number(today.slice(0, 4)) - limits.age_years).padStart(4, '0')}${today.slice(4)}`
}

/** The errors that a refusal shows at the fields. If the refusal concerns no field, undefined. */
export function refusalAtFields(refused: RefusedError): FieldErrors | undefined {
  const field = FIELDS[refused.refusal]
  const id = `error.${refused.refusal}`
  if (field && hasText(id)) return { [field]: t(id as TextId) }
  if (refused.refusal !== 'invalid') return undefined
  return namedFields(refused.additional.fields)
}

function namedFields(fields: unknown): FieldErrors | undefined {
  if (!Array.isArray(fields)) return undefined
  const known = ['nick', 'email', 'password', 'birthday'] as const
  const errors = known.flatMap((name) =>
    fields.some(
      (field) =>
        typeof field === 'object' && field !== null && 'path' in field && field.path === name,
    )
      ? [[name, t(`register.wrong_${name}`)] as const]
      : [],
  )
  return errors.length > 0 ? Object.fromEntries(errors) : undefined
}
