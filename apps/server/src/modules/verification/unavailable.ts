const NAMES: ReadonlySet<string> = new Set(['KycUnavailable', 'AgeUnavailable'])

/** Whether a provider did not answer, or refused us: an expected end of a call to it. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && NAMES.has(error.name)
}
