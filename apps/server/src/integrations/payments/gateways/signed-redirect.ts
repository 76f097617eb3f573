import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { inNetworks, isNetwork } from '../../../lib/addresses/network-list.ts'
import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import type { Gateway, NoticeReading, PayableOrder, ProviderRequest } from '../gateway.ts'
import { readParameters, toExactObject } from '../provider-calls.ts'

export interface SignedRedirectAccess {
  readonly secret_1: string
  readonly secret_2: string
  readonly merchant_id?: string | undefined
  readonly base_url?: string | undefined
}

const Algorithm = z.enum(['md5', 'sha1', 'sha256', 'sha512', 'hmac-sha256', 'hmac-sha512'])
const Name = z.string().regex(/^[\w.-]{1,60}$/)
const Template = z.string().max(500)
const Signature = z.object({
  algorithm: Algorithm,
  /** With fields in braces: `{secret_1}:{reference}:{price}`. */
  text: Template,
  /** The field with the signature; of a notice, `header: true` looks for it among the headers. */
  field: Name,
  letters: z.enum(['lower', 'upper', 'base64']).default('lower'),
  header: z.boolean().default(false),
})
const Kind = z.enum(['pending', 'paid', 'partial', 'failed', 'refunded', 'charged_back'])

/** The form of a provider whose method is a signed redirect and a signed notice. */
const RedirectForm = z.object({
  /** The page of the provider. Fields in braces: `{base_url}/pay`. */
  url: Template,
  /** `form`: the browser posts the fields. */
  send: z.enum(['query', 'form']).default('query'),
  fields: z.record(Name, Template),
  signature: Signature,
  currencies: z
    .array(z.string().regex(/^[A-Z]{3}$/))
    .min(1)
    .default(['USD']),
  notice: z.object({
    format: z.enum(['query', 'form', 'json']).default('form'),
    /** The networks of the provider; absent: the signature is enough. */
    senders: z
      .array(z.string().refine(isNetwork, 'is no network like 203.0.113.0/24'))
      .min(1)
      .optional(),
    signature: Signature,
    reference: Name,
    payment_id: Name,
    /** The provider's name of this step. Absent: two refunds of one amount are told apart by staff. */
    step_id: Name.optional(),
    amount: Name,
    /** Absent: the provider names no currency, and the order’s was signed. */
    currency: Name.optional(),
    /** Absent: every notice reports a payment. */
    status: Name.optional(),
    statuses: z.record(z.string(), Kind).default({}),
    answer: z.string().max(200).default('OK'),
  }),
})
export type RedirectForm = z.output<typeof RedirectForm>

/** The fields of a notice that decide must be signed, with a secret. The address of a base is checked with the environment. */
const SafeForm = RedirectForm.superRefine(({ url, notice }, context) => {
  if (!/^(https:\/\/|\{base_url\}([/?]|$))/.test(url))
    context.addIssue({
      code: 'custom',
      path: ['url'],
      message: 'must begin with https:// or {base_url}',
    })
  const { text, algorithm } = notice.signature
  const deciding = [
    notice.reference,
    notice.payment_id,
    notice.step_id,
    notice.amount,
    notice.currency,
    notice.status,
  ]
  for (const name of deciding)
    if (name !== undefined && !text.includes(`{${name}}`))
      context.addIssue({ code: 'custom', path: ['notice'], message: `${name} must be signed` })
  if (!algorithm.startsWith('hmac-') && !/\{secret_[12]\}/.test(text))
    context.addIssue({ code: 'custom', path: ['notice'], message: 'a secret must be signed' })
})

type Fields = Readonly<Record<string, string>>

/** The form in a text of JSON, or the sentences about its mistakes. */
export function readForm(text: string): RedirectForm | readonly string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return ['The form is not readable as JSON.']
  }
  const parsed = SafeForm.safeParse(value)
  if (parsed.success) return parsed.data
  return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

function isMistaken(form: RedirectForm | readonly string[]): form is readonly string[] {
  return Array.isArray(form)
}

/** A method of payment that a form of the operator describes. */
export function createSignedRedirect(method: string, access: SignedRedirectAccess): Gateway {
  let known = { text: 'none', form: undefined as RedirectForm | undefined }
  const need = () => {
    if (!known.form) throw new Error(`Impossible: the method ${method} is used without its form`)
    return known.form
  }
  return {
    method,
    get currencies() {
      return new Set(known.form?.currencies)
    },
    configure(text) {
      if (text !== known.text) {
        const form = readForm(text)
        known = { text, form: isMistaken(form) ? undefined : form }
      }
      return known.form !== undefined
    },
    async start(order) {
      const form = need()
      if (form.send === 'query') return { url: startAddress(form, order, access) }
      return {
        url: fill(form.url, orderFields(order, access)),
        fields: startParameters(form, order, access),
      }
    },
    read: (request) => readNotice(need(), request, access),
    preview(text, order) {
      const form = readForm(text)
      if (isMistaken(form)) return { mistakes: form }
      const shown = { ...access, secret_1: '{secret_1}', secret_2: '{secret_2}' }
      return { signed: signedText(form, order, shown), url: startAddress(form, order, shown) }
    },
    answer: (verdict) => ({
      status: verdict === 'unavailable' ? 503 : verdict === 'unverified' ? 400 : 200,
      content_type: 'text/plain',
      body: verdict === 'accepted' ? need().notice.answer : verdict.toUpperCase(),
    }),
  }
}

function orderFields(order: PayableOrder, access: SignedRedirectAccess): Fields {
  const { reference, currency, description, locale, email, return_url, notify_url } = order
  return {
    reference,
    price: toDecimal(order.price, currency),
    currency,
    description,
    locale,
    email: email ?? '',
    return_url,
    notify_url,
    buyer_key: order.buyer_key,
    merchant_id: access.merchant_id ?? '',
    base_url: access.base_url ?? '',
  }
}

/** The fields of the redirect, filled in. Empty fields are not sent. */
function sentFields({ fields }: RedirectForm, known: Fields): Fields {
  const filled = Object.entries(fields).map(([name, text]) => [name, fill(text, known)] as const)
  return Object.fromEntries(filled.filter(([, value]) => value !== ''))
}

function signedText(form: RedirectForm, order: PayableOrder, access: SignedRedirectAccess): string {
  const known = orderFields(order, access)
  return fill(form.signature.text, { ...known, ...sentFields(form, known), ...secrets(access) })
}

function startParameters(
  form: RedirectForm,
  order: PayableOrder,
  access: SignedRedirectAccess,
): Fields {
  const { signature } = form
  return {
    ...sentFields(form, orderFields(order, access)),
    [signature.field]: sign(signature, signedText(form, order, access), access.secret_1),
  }
}

function startAddress(
  form: RedirectForm,
  order: PayableOrder,
  access: SignedRedirectAccess,
): string {
  const parameters = new URLSearchParams(startParameters(form, order, access))
  return `${fill(form.url, orderFields(order, access))}?${parameters.toString()}`
}

const secrets = ({ secret_1, secret_2 }: SignedRedirectAccess): Fields => ({ secret_1, secret_2 })

/** Fields in braces. A field that is not known is empty. */
function fill(text: string, known: Fields): string {
  return text.replaceAll(/\{([\w.-]+)\}/g, (_, name: string) => known[name] ?? '')
}

function sign(
  { algorithm, letters }: z.output<typeof Signature>,
  text: string,
  secret: string,
): string {
  const hash = algorithm.startsWith('hmac-')
    ? createHmac(algorithm.slice(5), secret)
    : createHash(algorithm)
  const digest = hash.update(text).digest()
  if (letters === 'base64') return digest.toString('base64')
  const hex = digest.toString('hex')
  return letters === 'upper' ? hex.toUpperCase() : hex
}

/** The signature of a notice with these fields: the stand-in signs with it, too. */
export function signNotice(
  form: RedirectForm,
  given: Fields,
  access: SignedRedirectAccess,
): string {
  const { signature } = form.notice
  const text = fill(signature.text, { ...given, ...secrets(access) })
  return sign(signature, text, access.secret_2)
}

function readNotice(
  form: RedirectForm,
  request: ProviderRequest,
  access: SignedRedirectAccess,
): NoticeReading {
  const { notice } = form
  if (notice.senders && !inNetworks(notice.senders, request.address))
    return { type: 'unverified', why: 'not from the provider' }
  const given = readGiven(notice.format, request)
  if (!given) return { type: 'unverified', why: 'not readable' }
  const { field, header } = notice.signature
  const sent = header ? request.headers[field.toLowerCase()] : given[field]
  if (!isSameText(sent, signNotice(form, given, access)))
    return { type: 'unverified', why: 'the signature does not match' }
  return readFields(form, given)
}

/** The fields of a notice whose signature matches. */
function readFields({ notice }: RedirectForm, given: Fields): NoticeReading {
  const kind = notice.status === undefined ? 'paid' : notice.statuses[given[notice.status] ?? '']
  if (kind === undefined) return { type: 'irrelevant', why: 'a status without a meaning' }
  const payment_id = given[notice.payment_id]
  if (!payment_id) return { type: 'unverified', why: 'without a payment' }
  const amount = given[notice.amount]
  const step = (notice.step_id && given[notice.step_id]) || undefined
  const isRefund = kind === 'refunded'
  const currency = notice.currency === undefined ? undefined : given[notice.currency]
  return {
    type: 'notice',
    notice: {
      kind,
      reference: given[notice.reference],
      payment_id,
      step_id: `${payment_id}:${kind}${isRefund ? `:${step ?? amount}` : ''}`,
      is_unnamed: isRefund && step === undefined,
      amount: amount !== undefined && currency ? toMinor(amount, currency) : undefined,
      currency,
      ...(notice.currency === undefined && amount !== undefined && { ordered_decimal: amount }),
      instrument: undefined,
      is_test: false,
    },
  }
}

function readGiven(
  format: 'query' | 'form' | 'json',
  { query, body }: ProviderRequest,
): Fields | undefined {
  if (format === 'query') return readParameters(query)
  const text = body.toString('utf8')
  if (format === 'form') return readParameters(text)
  const object = toExactObject(text)
  return object && Object.fromEntries(Object.entries(object).map(([k, v]) => [k, String(v)]))
}
