import { events } from '@duet/protocol'
import type { ContractSchema } from '@duet/protocol/kernel/contract.ts'
import { ErrorPayload } from '@duet/protocol/kernel/envelope.ts'
import { signalHeard } from '@duet/protocol/contracts/signaling.ts'

const main: ReadonlyMap<string, ContractSchema> = schemasOf(events)
const signal: ReadonlyMap<string, ContractSchema> = schemasOf(signalHeard)

function schemasOf(of: object): Map<string, ContractSchema> {
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
  const beyond = fieldBeyond(payload, parsed.data)
  return beyond === undefined ? undefined : `${event} says ${beyond}`
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
