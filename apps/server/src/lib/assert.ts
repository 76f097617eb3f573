/** Stops at an impossible state: a bug of ours, never a user's mistake (that is a refusal). */
export function assert(holds: unknown, law: string): asserts holds {
  if (!holds) throw new Error(`Impossible: ${law}`)
}

/** For the last branch of a closed union: the type checker proves that it is never reached. */
export function unreachable(value: never, law: string): never {
  throw new Error(`Impossible: ${law} (${JSON.stringify(value)})`)
}
