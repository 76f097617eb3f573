import type { ProfileChange, User } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { RefusedError } from '../../shared/app-services.tsx'
import { hasText, t, type TextId } from '../../shared/i18n.ts'

interface PersonalFieldRule {
  /** The value that the form shows for this record. */
  readonly read: (user: User) => string
  /** The value that UPDATE_PROFILE takes. Without it the value goes out as it was typed. */
  readonly write?: (typed: string) => string | null
  /** The error that the field shows when it loses the focus. The server checks the value again. */
  readonly findError?: (value: string, today: string) => TextId | undefined
  /** The refusals that concern this field. */
  readonly refusals?: readonly string[]
  /** The text for a value that the contract refuses. */
  readonly wrong?: TextId
}

/** Everything that the form knows about its fields. */
const FIELDS = {
  nick: {
    read: ({ nick }) => nick ?? '',
    write: (typed) => typed.trim(),
    findError(value) {
      const length = [...value.trim()].length
      if (length < limits.nick_characters_min) return 'error.nick_short'
      return length > limits.nick_characters ? 'error.name_long' : undefined
    },
    refusals: ['nick_short', 'name_short', 'name_long'],
    wrong: 'profile.wrong_nick',
  },
  about: {
    read: ({ about }) => about,
    findError: (value) =>
      [...value].length > limits.about_characters ? 'error.about_long' : undefined,
    refusals: ['about_long'],
  },
  birthday: {
    read: ({ birthday }) => birthday ?? '',
    findError: (value, today) =>
      value !== '' && value <= latestBirthday(today) ? undefined : 'error.birthday_invalid',
    refusals: ['birthday_invalid', 'birthday_fixed'],
  },
  phone: {
    read: ({ phone }) => phone ?? '',
    write: (typed) => typed.trim() || null,
    wrong: 'profile.wrong_phone',
  },
} as const satisfies Record<string, PersonalFieldRule>

export type PersonalField = keyof typeof FIELDS
export type PersonalValues = Readonly<Record<PersonalField, string>>
export type PersonalErrors = Partial<Record<PersonalField, string | undefined>>

const RULES: Readonly<Record<PersonalField, PersonalFieldRule>> = FIELDS
const NAMES = Object.keys(FIELDS) as PersonalField[]

/** The latest birthday of an adult. Both dates are `YYYY-MM-DD`. */
function latestBirthday(today: string): string {
  return `${String(Number(today.slice(0, 4)) - limits.age_years).padStart(4, '0')}${today.slice(4)}`
}

/** The values of the form's fields for this record. */
export function getValues(user: User): PersonalValues {
  return Object.fromEntries(NAMES.map((name) => [name, FIELDS[name].read(user)])) as PersonalValues
}

/** Returns the edited fields. A field with the value of the record is not an edit, so the field follows the record. */
export function withEdit(
  edits: Partial<PersonalValues>,
  name: PersonalField,
  value: string,
  user: User,
): Partial<PersonalValues> {
  const { [name]: _, ...others } = edits
  return value === FIELDS[name].read(user) ? others : { ...others, [name]: value }
}

/** The edits that the user made after the values were sent. */
export function editsSince(
  sent: PersonalValues,
  edits: Partial<PersonalValues>,
): Partial<PersonalValues> {
  return Object.fromEntries(
    NAMES.filter((name) => edits[name] !== undefined && edits[name] !== sent[name]).map((name) => [
      name,
      edits[name],
    ]),
  )
}

/** The fields whose value differs from the record, in the form that UPDATE_PROFILE takes. */
export function changedFields(values: PersonalValues, user: User): ProfileChange {
  const changes = NAMES.flatMap((name) => {
    const { read, write = (typed: string) => typed } = RULES[name]
    const written = write(values[name])
    return written === write(read(user)) ? [] : [[name, written]]
  })
  return Object.fromEntries(changes) as ProfileChange
}

/** The error that a field shows when the field loses the focus. */
export function fieldError(name: PersonalField, value: string, today: string): string | undefined {
  const id = RULES[name].findError?.(value, today)
  return id && t(id)
}

/** The errors that a refusal shows beside the fields. If the refusal concerns no field, returns undefined. */
export function errorsOfRefusal({ refusal, additional }: RefusedError): PersonalErrors | undefined {
  const field = NAMES.find((name) => RULES[name].refusals?.includes(refusal))
  const id = `error.${refusal}`
  if (field && hasText(id)) return { [field]: t(id) }
  const refused = Array.isArray(additional.fields)
    ? (additional.fields as { path?: unknown }[])
    : []
  const errors = NAMES.flatMap((name) => {
    const { wrong } = RULES[name]
    return wrong && refused.some(({ path }) => path === name) ? [[name, t(wrong)]] : []
  })
  return errors.length > 0 ? Object.fromEntries(errors) : undefined
}
