import type { Permission } from '@duet/protocol'
import { refusals, type RefusalName } from '@duet/protocol/kernel/refusals.ts'

/** An expected "no" with a name. The dispatcher turns it into its code; a transaction that throws it rolls back. */
export class Refusal extends Error {
  readonly refusal: RefusalName
  readonly additional: Readonly<Record<string, unknown>>

  constructor(refusal: RefusalName, additional: Record<string, unknown> = {}) {
    super(refusals[refusal].message)
    this.name = 'Refusal'
    this.refusal = refusal
    this.additional = additional
  }
}

/** Refuses the request. The name must be in the contract's `refuses` (or in `everyCall`); the dispatcher checks it. */
export function refuse(refusal: RefusalName, additional?: Record<string, unknown>): never {
  throw new Refusal(refusal, additional)
}

export function isRefusal(error: unknown, name?: RefusalName): error is Refusal {
  return error instanceof Refusal && (name === undefined || error.refusal === name)
}

/** The answer to whether a user may do something: allowed without a refusal. */
export function permission<Name extends RefusalName>(
  name: Name | undefined,
): Omit<Permission, 'name'> & { readonly name?: Name } {
  return name === undefined
    ? { allowed: true }
    : { allowed: false, code: refusals[name].code, name }
}
