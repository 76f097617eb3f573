/**
 * The name of a card: its first and last digits and its date together. Undefined if a part is missing: the last four digits
 * alone are those of many cards.
 */
export function identifyCard(parts: {
  readonly first: unknown
  readonly last: unknown
  readonly date: unknown
}): string | undefined {
  const { first, last, date } = parts
  const isWhole = [first, last, date].every((part) => typeof part === 'string' && part !== '')
  return isWhole ? [first, last, date].join(':') : undefined
}
