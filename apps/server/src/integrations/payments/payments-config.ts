import { z } from 'zod'
import { isProtected } from '../../lib/addresses/loopback.ts'
import { isPrivateHost } from '../../lib/addresses/private-host.ts'
import { StartRefused } from '../../lib/configuration/start-refused.ts'
import { type Installation, secret, text, type Values } from '../../lib/configuration/variables.ts'

interface ProviderFields {
  readonly base_url?: string
  readonly fields: Readonly<Record<string, 'text' | 'secret'>>
  /** Fields that the provider works without. */
  readonly optional?: Readonly<Record<string, 'text' | 'secret' | 'address'>>
  /** The optional field that another optional field is of no use without. */
  readonly needs?: Readonly<Record<string, string>>
  /** The optional fields without which the notice of a payment is not confirmed by its provider. */
  readonly confirms?: readonly string[]
}

const signedRedirect = {
  fields: { secret_1: 'secret', secret_2: 'secret' },
  optional: { merchant_id: 'text' },
} as const satisfies ProviderFields

/** The providers by name, with the credentials of each. A provider works when all its fields are given. */
export const PROVIDERS = {
  verotel: {
    base_url: 'https://secure.verotel.com',
    fields: { shop_id: 'text', signature_key: 'secret' },
  },
  ccbill: {
    base_url: 'https://api.ccbill.com',
    fields: { account: 'text', subaccount: 'text', form_id: 'text', salt: 'secret' },
    optional: { datalink_username: 'text', datalink_password: 'secret', datalink_url: 'address' },
    needs: {
      datalink_username: 'datalink_password',
      datalink_password: 'datalink_username',
      datalink_url: 'datalink_username',
    },
    confirms: ['datalink_username', 'datalink_password'],
  },
  paysafecard: {
    base_url: 'https://api.paysafecard.com',
    fields: { api_key: 'secret' },
  },
  cloudpayments: {
    base_url: 'https://api.cloudpayments.ru',
    fields: { public_id: 'text', api_secret: 'secret' },
    optional: { widget_url: 'address' },
  },
  fk: {
    base_url: 'https://pay.fk.money',
    fields: { merchant_id: 'text', secret_1: 'secret', secret_2: 'secret' },
    optional: { api_key: 'secret', api_url: 'address' },
    needs: { api_url: 'api_key' },
    confirms: ['api_key'],
  },
  nowpayments: {
    base_url: 'https://api.nowpayments.io',
    fields: { api_key: 'secret', ipn_secret: 'secret' },
    optional: { email: 'text', password: 'secret' },
    needs: { email: 'password', password: 'email' },
  },
  btcpay: {
    fields: { store_id: 'text', api_key: 'secret', webhook_secret: 'secret' },
  },
  prime: signedRedirect,
  contact: signedRedirect,
  dafinci: signedRedirect,
  expay: signedRedirect,
  evypay: signedRedirect,
  payselect: signedRedirect,
} as const satisfies Readonly<Record<string, ProviderFields>>

export type ProviderName = keyof typeof PROVIDERS
type OptionalOf<P> = P extends { optional: infer O } ? { [F in keyof O]?: string } : object

/** The credentials of a provider, and the origin with path to which requests go. */
export type ProviderAccess<P extends ProviderName = ProviderName> = {
  readonly [F in keyof (typeof PROVIDERS)[P]['fields']]: string
} & Readonly<OptionalOf<(typeof PROVIDERS)[P]>> & { readonly base_url: string }

type FieldOf<P extends ProviderName> =
  | (keyof (typeof PROVIDERS)[P]['fields'] & string)
  | ((typeof PROVIDERS)[P] extends { optional: infer O } ? keyof O & string : never)
  | 'base_url'
type VariableName = {
  [P in ProviderName]: `${Uppercase<P>}_${Uppercase<FieldOf<P>>}`
}[ProviderName]

/** An origin, with or without a path. */
const address = z
  .string()
  .max(500)
  .refine((given) => {
    if (!URL.canParse(given)) return false
    const { protocol, search, hash } = new URL(given)
    return /^https?:$/.test(protocol) && search === '' && hash === '' && !given.endsWith('/')
  })
  .meta({ must_be: 'an address like https://pay.example, without a slash at the end' })

const NAMES = Object.keys(PROVIDERS) as ProviderName[]

/** `VEROTEL_SHOP_ID`: the provider and the field. */
export function variableName(provider: ProviderName, field: string): VariableName {
  return `${provider}_${field}`.toUpperCase() as VariableName
}

function describedVariable(kind: 'text' | 'secret' | 'address') {
  if (kind === 'address') return address
  return kind === 'secret' ? secret('a secret', 1, 500) : text('a text', 1, 500)
}

export const PAYMENT_VARIABLES = Object.fromEntries(
  NAMES.flatMap((provider) => {
    const { base_url, fields, optional = {} } = PROVIDERS[provider] as ProviderFields
    const own = Object.entries({ ...fields, ...optional }).map(
      ([field, kind]) =>
        [
          variableName(provider, field),
          describedVariable(kind).describe(
            `${field in optional ? 'Optional' : 'Credential'} of payments by ${provider}. Without all credentials the method is off.`,
          ),
        ] as const,
    )
    const url = address.describe(
      base_url === undefined
        ? `The origin of ${provider}, to which buyers or requests are sent.`
        : `The origin of ${provider}, if it is not ${base_url}.`,
    )
    return [...own, [variableName(provider, 'base_url'), url] as const]
  }),
) as unknown as Record<VariableName, z.ZodType<string, string>>

export interface PaymentsConfig {
  readonly access: { readonly [P in ProviderName]?: ProviderAccess<P> }
  /** The variables that are missing beside others of their provider: `VEROTEL_SIGNATURE_KEY`. */
  readonly missing: readonly string[]
  /** The variables without which notices of a provider that is on are not confirmed by it. */
  readonly unconfirmed: Readonly<Record<string, string>>
  /** The variables without which each method does not work, as a line for the operator. */
  readonly needed: Readonly<Record<string, string>>
}

type ReadVariable = (field: string) => string | undefined

/** The providers whose credentials are all given. `standIn`: plays the other providers, in the demo installation. */
export function readPayments(
  values: Values<typeof PAYMENT_VARIABLES>,
  { production }: Installation,
  standIn: PaymentsConfig['access'] = {},
): PaymentsConfig {
  const access: Record<string, unknown> = { ...standIn }
  const missing: string[] = []
  const unconfirmed: Record<string, string> = {}
  for (const provider of NAMES) {
    const { base_url, fields, optional = {}, confirms = [] } = PROVIDERS[provider] as ProviderFields
    const readVariable = (field: string) => values[variableName(provider, field)]
    const url = readVariable('base_url') ?? base_url
    if (production)
      refuseUnsafe(provider, { ...readAddresses(provider, readVariable), base_url: url })
    const named = [...Object.keys(fields), ...Object.keys(optional)]
    if ([...named, 'base_url'].every((field) => readVariable(field) === undefined)) continue
    const lacks = requiredFields(provider).filter((field) => readVariable(field) === undefined)
    missing.push(
      ...[...lacks, ...halfPairs(provider, readVariable)].map((field) =>
        variableName(provider, field),
      ),
    )
    if (lacks.length > 0) continue
    if (confirms.some((field) => readVariable(field) === undefined))
      unconfirmed[provider] = confirms.map((field) => variableName(provider, field)).join(', ')
    access[provider] = {
      ...Object.fromEntries(named.map((field) => [field, readVariable(field)])),
      base_url: url,
    }
  }
  return { access, missing, unconfirmed, needed: NEEDED }
}

/** Two providers have another name than their method. */
const METHOD_OF: Readonly<Partial<Record<ProviderName, string>>> = {
  nowpayments: 'crypto',
  btcpay: 'crypto',
}

const NEEDED = Object.fromEntries(
  Map.groupBy(NAMES, (provider) => METHOD_OF[provider] ?? provider)
    .entries()
    .map(([method, providers]) => [method, providers.map(listRequired).join(' or ')] as const),
)

function listRequired(provider: ProviderName): string {
  return requiredFields(provider)
    .map((field) => variableName(provider, field))
    .join(', ')
}

function requiredFields(provider: ProviderName): string[] {
  const { base_url, fields } = PROVIDERS[provider] as ProviderFields
  return [...Object.keys(fields), ...(base_url === undefined ? ['base_url'] : [])]
}

/** The optional fields that are not given beside others that are of no use without them. */
function halfPairs(provider: ProviderName, readVariable: ReadVariable): string[] {
  const { needs = {} } = PROVIDERS[provider] as ProviderFields
  return Object.entries(needs).flatMap(([field, needed]) =>
    readVariable(field) !== undefined && readVariable(needed) === undefined ? [needed] : [],
  )
}

function readAddresses(provider: ProviderName, readVariable: ReadVariable) {
  const { optional = {} } = PROVIDERS[provider] as ProviderFields
  const fields = Object.keys(optional).filter((field) => optional[field] === 'address')
  return Object.fromEntries(fields.map((field) => [field, readVariable(field)]))
}

/** The addresses of a shop that takes money: over TLS, and no program on this machine that plays the provider. */
function refuseUnsafe(
  provider: ProviderName,
  addresses: Readonly<Record<string, string | undefined>>,
): void {
  for (const [field, url] of Object.entries(addresses)) {
    if (url === undefined) continue
    const name = variableName(provider, field)
    if (!isProtected(url))
      throw new StartRefused(`${name} must be an https:// origin when NODE_ENV is production.`)
    // A BTCPay Server is a program of the operator, and may run beside this one.
    if (provider !== 'btcpay' && isPrivateHost(new URL(url).hostname))
      throw new StartRefused(
        `${name} must be the address of the provider when NODE_ENV is production, not one of this machine or of a private network.`,
      )
  }
}
