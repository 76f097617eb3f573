import { type Change, events } from '@duet/protocol'
import type { ContractSchema } from '@duet/protocol/kernel/contract.ts'
import { ErrorPayload, type Failure } from '@duet/protocol/kernel/envelope.ts'
import { ModerationInfo } from '@duet/protocol/kernel/sanctions.ts'
import type { RefusalName } from '@duet/protocol/kernel/refusals.ts'
import { signalHeard } from '@duet/protocol/contracts/signaling.ts'

const main: ReadonlyMap<string, ContractSchema> = getSchemas(events)
const signal: ReadonlyMap<string, ContractSchema> = getSchemas(signalHeard)

function getSchemas(of: object): Map<string, ContractSchema> {
  return new Map(
    Object.entries(of as Record<string, { payload: ContractSchema }>).map(([name, { payload }]) => [
      name,
      payload,
    ]),
  )
}

/**
 * Describes how an event differs from its contract, also by additional fields; undefined when it is
 * right.
 */
export function beyondContract(path: string, event: string, payload: unknown): string | undefined {
  const schema = /^error_\d{3}$/.test(event)
    ? ErrorPayload
    : (path === '/signal' ? signal : main).get(event)
  if (!schema) return `${event} is no event of ${path}`
  const parsed = schema.safeParse(payload)
  if (!parsed.success)
    return `${event} ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')}`
  const [details] = schema === ErrorPayload ? failureBeyond(event, payload as Failure) : []
  if (details !== undefined) return details
  const beyond = fieldBeyond(payload, parsed.data)
  return beyond === undefined ? undefined : `${event} says ${beyond}`
}

/** The details that a refusal may carry. A refusal that is not listed carries no details. */
const detailsOf: Partial<Record<RefusalName, readonly string[]>> = {
  age_unconfirmed: ['needs', 'proof', 'provider'],
  banned: Object.keys(ModerationInfo.shape),
  banned_already: ['until'],
  blocked: ['who'],
  captcha_required: ['challenge'],
  dialog_exists: ['dialog_id'],
  draining: ['retry_after', 'database', 'storage'],
  in_call: ['who'],
  internal: ['id'],
  invalid: ['fields'],
  no_balance: ['missing'],
  not_found: ['what'],
  second_factor: ['methods'],
  too_large: ['field', 'limit', 'seconds_max'],
  spending_limit: ['left', 'cool_off_until'],
  too_many: ['retry_after'],
  claimed: ['claim'],
  wrong_type: ['field'],
}

/** How a failure has more details than its refusal may carry. */
function failureBeyond(of: string, { name, additional }: Failure): string[] {
  const known = detailsOf[name] ?? []
  return Object.keys(additional)
    .filter((key) => !known.includes(key))
    .map((key) => `${of} is refused ${name} with ${key}`)
}

/**
 * Describes what the server's own check of its answers leaves open: the details of a refusal, and the events in
 * the change log.
 */
export function answerBeyond(
  name: string,
  answer: { readonly data: unknown } | { readonly error: Failure },
): string[] {
  if ('error' in answer) return failureBeyond(name, answer.error)
  if (name !== 'GET_CHANGES') return []
  const { changes } = answer.data as { changes: readonly Change[] }
  return changes.flatMap(({ event, payload }) => beyondContract('/socket.io', event, payload) ?? [])
}

function fieldBeyond(said: unknown, allowed: unknown, path = ''): string | undefined {
  if (typeof said !== 'object' || said === null || typeof allowed !== 'object' || allowed === null)
    return undefined
  for (const [key, value] of Object.entries(said)) {
    const here = path ? `${path}.${key}` : key
    if (!Object.hasOwn(allowed, key)) return here
    const deeper = fieldBeyond(value, (allowed as Record<string, unknown>)[key], here)
    if (deeper !== undefined) return deeper
  }
  return undefined
}
