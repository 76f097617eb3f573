import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { Action, ContractSchema, Endpoint, Event, Who } from './kernel/contract.ts'
import { CaptchaChallenge } from './kernel/captcha.ts'
import { ErrorPayload } from './kernel/envelope.ts'
import { signalHeard } from './index.ts'
import { actions, endpoints, events } from './wire.ts'

interface Answer {
  readonly name: string
  readonly schema: ContractSchema
  readonly who: readonly Who[] | 'reader'
}

const getWhos = ({ who }: Action | Endpoint) => (typeof who === 'string' ? [who] : who)

/** Everything that the server sends, by its name. */
const answers: readonly Answer[] = [
  ...Object.values<Action>(actions).map((call) => ({
    name: call.name,
    schema: call.ack,
    who: getWhos(call),
  })),
  ...Object.entries<Endpoint>(endpoints).map(([name, call]) => ({
    name,
    schema: call.data,
    who: getWhos(call),
  })),
  ...[...Object.values<Event>(events), ...Object.values<Event>(signalHeard)].map(
    ({ name, payload }) => ({ name: `event ${name}`, schema: payload, who: 'reader' as const }),
  ),
  { name: 'failure', schema: ErrorPayload, who: 'reader' },
  { name: 'challenge', schema: CaptchaChallenge, who: 'reader' },
]

/** Fields whose keys or content the contract leaves open, each with the reason. No other schema may be open. */
const OPEN: Readonly<Record<string, string>> = {
  'GET notices.items[].facts':
    'the facts differ by the kind of notice; numbers, flags and short texts only',
  'event notice.notice.facts': 'as in the list of notices',
  'GET_CHANGES.changes[].payload':
    'an event of the reader; test users check it against its own contract',
  'GET v2/manager/audit.items[].facts': 'the facts differ by the act; read by staff only',
  'GET v2/manager/audit.items[].before': 'as the facts',
  'GET v2/manager/audit.items[].after': 'as the facts',
  'POST auth/passkey/options': 'the options of WebAuthn, which the library and the browser define',
  'POST v2/manager/passkey/options': 'as POST auth/passkey/options',
  'challenge.challenge': 'the challenge of ALTCHA, which its library defines',
  'challenge.challenge.parameters': 'as the challenge of ALTCHA',
  'failure.additional':
    'the details differ by the refusal; test users check their names against a list',
}

/** Calls of the back office: its own roles are checked there. */
const STAFF = /^(GET|POST) v2\/manager\//

/** Answers and events that carry the own record, to its owner only. */
const OWN_RECORD = [
  'AUTH',
  'UPDATE_PROFILE',
  'GET profile',
  'POST profile',
  'POST avatar/delete',
  'POST user_nsfw',
  'event auth_success',
  'event update_profile_success',
  'event user_info',
] as const

/** Fields that are not for everyone, and every answer and event that has them. */
const RESTRICTED: Readonly<
  Record<string, { readonly fields: readonly string[]; readonly answered: readonly string[] }>
> = {
  'an email or a phone number': { fields: ['email', 'phone'], answered: OWN_RECORD },
  'a birthday': { fields: ['birthday'], answered: OWN_RECORD },
  'the tokens of a user': { fields: ['fs_token'], answered: OWN_RECORD },
  'the countries that a user hides from': {
    fields: ['hide_countries', 'show_country'],
    answered: [...OWN_RECORD, 'GET user/settings'],
  },
  'the end of premium': {
    fields: ['premium_until'],
    answered: [...OWN_RECORD, 'POST balance', 'event pay_success'],
  },
  'a wallet': {
    fields: ['usdt_wallet'],
    answered: [...OWN_RECORD, 'GET withdraw', 'POST account/wallet/confirm'],
  },
  'the balance in units': { fields: ['balance_units'], answered: [...OWN_RECORD, 'POST balance'] },
  'the state of a deletion': { fields: ['delete_at', 'deleted_at', 'deletion'], answered: [] },
  'an original of a masked text': {
    fields: ['original', 'original_message', 'message_original', 'unmasked'],
    answered: [],
  },
  'an address of the network': {
    fields: ['ip', 'ip_address', 'user_agent'],
    answered: [],
  },
  'a second of the last visit': {
    fields: ['last_visit'],
    answered: [...OWN_RECORD, 'GET account/sessions', 'GET girl_info'],
  },
}

interface JsonPart {
  readonly [key: string]: unknown
}

function json(schema: ContractSchema): JsonPart {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' })
}

/** Each field of a schema, by its path, with what it may contain. */
function listFields(part: unknown, path: string): [string, JsonPart][] {
  if (typeof part !== 'object' || part === null) return []
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = part as JsonPart
  const alternatives = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []))
  return [
    [path, part as JsonPart],
    ...Object.entries((properties ?? {}) as JsonPart).flatMap(([key, inside]) =>
      listFields(inside, `${path}.${key}`),
    ),
    ...listFields(items, `${path}[]`),
    ...listFields(additionalProperties || undefined, `${path}{}`),
    ...alternatives.flatMap((one) => listFields(one, path)),
  ]
}

/** A schema that any key, or any value, passes. */
function isOpen(part: JsonPart): boolean {
  const bounds = ['type', 'properties', 'anyOf', 'oneOf', 'allOf', 'const', 'enum', '$ref']
  const isObject = part.type === 'object' && part.additionalProperties !== false
  return isObject || !bounds.some((bound) => bound in part)
}

function openIn(name: string, schema: ContractSchema): string[] {
  const open = listFields(json(schema), name).filter(([, part]) => isOpen(part))
  // The fields inside an open one are open with it.
  return [...new Set(open.map(([path]) => path.replace(/\{\}.*$/, '')))]
}

test('every answer and event names all of its fields, but for the open ones that are listed', () => {
  const open = answers.flatMap(({ name, schema }) => openIn(name, schema))
  deepEqual(open.toSorted(), Object.keys(OPEN).toSorted())
})

test('an open schema is found', () => {
  const open = z.object({
    loose: z.looseObject({ a: z.int() }),
    list: z.array(z.object({ any: z.unknown() })),
    chosen: z.record(z.string(), z.int()),
    fixed: z.object({ a: z.string().nullable() }),
  })
  deepEqual(openIn('x', open), ['x.loose', 'x.list[].any', 'x.chosen'])
})

/** The fields of `names` in all answers, without what leads to them: `AUTH.email` for `AUTH.user.email`. */
function listHolders(names: readonly string[]): string[] {
  const found = answers.flatMap(({ name, schema }) =>
    listFields(json(schema), '').flatMap(([path]) => {
      const field = path.split('.').at(-1)!
      return names.includes(field) ? [name] : []
    }),
  )
  return [...new Set(found)].filter((name) => !STAFF.test(name)).toSorted()
}

for (const [says, { fields, answered }] of Object.entries(RESTRICTED))
  test(`only the listed answers have ${says}`, () => {
    deepEqual(listHolders(fields), [...new Set(answered)].toSorted())
  })
