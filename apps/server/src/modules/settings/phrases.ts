import type { LocaleName } from '@duet/protocol'

/**
 * The phrases of a language. A language without phrases gets the English phrases and the phrases without a
 * language.
 */
export function phrasesFor(phrases: readonly string[], locale: LocaleName): string[] {
  const own = phrases.flatMap((phrase) =>
    phrase.startsWith(`${locale}:`) ? phrase.slice(locale.length + 1) : [],
  )
  if (own.length > 0) return own
  return phrases.flatMap((phrase) => /^(?:en:)?(?![a-z]{2}:)(.+)$/.exec(phrase)?.[1] ?? [])
}
