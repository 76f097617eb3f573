import { limits } from '@duet/protocol/kernel/limits.ts'
import type { Refused } from '../../lib/session.tsx'
import { hasText, t, type TextId } from '../../lib/i18n.ts'

export interface Registration {
  nick: string
  email: string
  password: string
  birthday: string
}
export type FieldName = keyof Registration
export type FieldErrors = Partial<Record<FieldName, string>>

/** Which field a refusal speaks of. */
const fields_of_codes: Readonly<Record<number, FieldName>> = {
  103: 'email',
  105: 'password',
  106: 'password',
  107: 'nick',
  108: 'nick',
  112: 'email',
  201: 'nick',
  203: 'birthday',
}

/** What a single field says when it is left; the server judges again. */
export function complaintAbout(name: FieldName, value: string, today: string): string | undefined {
  const trimmed = value.trim()
  if (name === 'nick' && [...trimmed].length < limits.nick_characters_min) return t('error.107')
  if (name === 'nick' && [...trimmed].length > limits.nick_characters) return t('error.108')
  if (name === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(trimmed)) return t('error.112')
  if (name === 'password' && [...value].length < limits.password_characters_min)
    return t('register.password_short')
  if (name === 'birthday' && !(value !== '' && value <= latestBirthday(today)))
    return t('error.203')
  return undefined
}

/** The last birthday with which somebody is an adult today. Both as `YYYY-MM-DD`. */
export function latestBirthday(today: string): string {
  return `${String(Number(today.slice(0, 4)) - limits.age_years).padStart(4, '0')}${today.slice(4)}`
}

/** A refusal as sentences at the fields; undefined when it is about none of them. */
export function errorsAtFields(refused: Refused): FieldErrors | undefined {
  const field = fields_of_codes[refused.code]
  const id = `error.${refused.code}`
  if (field && hasText(id)) return { [field]: t(id as TextId) }
  if (refused.code !== 900) return undefined
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
