/** Throws at an impossible state: a bug, never a user's mistake (that is a refusal). */
export function assert(holds: unknown, invariant: string): asserts holds {
  if (!holds) throw new Error(`Impossible: ${invariant}`)
}

/** For the last branch of a closed union: the type checker proves that it is never reached. */
export function unreachable(value: never, invariant: string): never {
  throw new Error(`Impossible: ${invariant} (${JSON.stringify(value)})`)
}
