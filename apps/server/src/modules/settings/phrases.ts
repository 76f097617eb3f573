import type { LocaleName } from '@duet/protocol'

/** The phrases of a language; for a language without any, the English ones and those without a language. */
export function phrasesFor(phrases: readonly string[], locale: LocaleName): string[] {
  const own = phrases.flatMap((phrase) =>
    phrase.startsWith(`${locale}:`) ? phrase.slice(locale.length + 1) : [],
  )
  if (own.length > 0) return own
  return phrases.flatMap((phrase) => /^(?:en:)?(?![a-z]{2}:)(.+)$/.exec(phrase)?.[1] ?? [])
}
