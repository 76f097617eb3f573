import { useRef, useState } from 'react'
import type { Locale } from '@duet/protocol/kernel/locales.ts'
import { RefusedError, useAppServices } from '../../../shared/app-services.tsx'
import { useWrongFieldFocus } from '../../../shared/account/wrong-field-focus.ts'
import { onSubmit, usePress } from '../../../shared/controls/use-press.ts'
import { currentLocale, t } from '../../../shared/i18n.ts'
import { type FieldRule, findProblem } from './report-fields.ts'

type Http = ReturnType<typeof useAppServices>['connection']['http']

/** A form that has arrived. */
export interface SentReport {
  readonly secret: string
  readonly receipt: string
  readonly answer_until: string
}

/** The fields of every form that the user does not fill in. */
interface OwnFields {
  readonly secret: string
  /** The mails about the report are in the language of the form. */
  readonly locale: Locale
}

type Answer = Pick<SentReport, 'receipt' | 'answer_until'>

/** The secret of the state page. The server knows it only by its hash, and it makes a repeat of the form harmless. */
function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({
    alphabet: 'base64url',
    omitPadding: true,
  })
}

/** The forms are refused in the same ways. */
function isRefusedAs(error: unknown, refusal: 'key_reused' | 'email_invalid'): boolean {
  return error instanceof RefusedError && error.refusal === refusal
}

/** The fields of a public form, their problems, and its way to the server. */
export function useReportForm<Name extends string>(
  rules: Readonly<Record<Name, FieldRule>>,
  send: (http: Http, values: Readonly<Record<Name, string>>, own: OwnFields) => Promise<Answer>,
) {
  const { connection } = useAppServices()
  const { form, focusWrongField } = useWrongFieldFocus()
  const names = Object.keys(rules) as Name[]
  const [values, setValues] = useState(
    () => Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>,
  )
  const [errors, setErrors] = useState<Partial<Record<Name, string | undefined>>>({})
  const [sent, setSent] = useState<SentReport>()
  const secret = useRef<string>(undefined)

  const submit = async () => {
    const found = Object.fromEntries(
      names.map((name) => [name, findProblem(rules[name], values[name])]),
    ) as Partial<Record<Name, string | undefined>>
    setErrors(found)
    if (names.some((name) => found[name])) return focusWrongField()
    secret.current ??= newSecret()
    const locale = currentLocale()
    let answer
    try {
      answer = await send(connection.http, values, { secret: secret.current, locale })
    } catch (error) {
      // The answer to other words was lost: these are a report of their own.
      if (!isRefusedAs(error, 'key_reused')) throw error
      secret.current = newSecret()
      answer = await send(connection.http, values, { secret: secret.current, locale })
    }
    setSent({ ...answer, secret: secret.current })
  }
  const { busy, press } = usePress(submit, (error) => {
    if (!isRefusedAs(error, 'email_invalid')) return false
    setErrors({ ...errors, contact: t('report.problem.email') })
    focusWrongField()
    return true
  })
  const write = (name: Name, value: string) => {
    setValues((before) => ({ ...before, [name]: value }))
    if (errors[name]) setErrors({ ...errors, [name]: findProblem(rules[name], value) })
  }
  const field = (name: Name) => ({
    name,
    value: values[name],
    error: errors[name],
    onBlur: () =>
      values[name] && setErrors({ ...errors, [name]: findProblem(rules[name], values[name]) }),
    onChange: ({ target }: { target: { value: string } }) => write(name, target.value),
  })
  return { values, errors, write, field, busy, sent, form, submit: onSubmit(press) }
}
