import type { LocaleName } from '@duet/protocol'

/** The phrases of a language; where it has none, English ones and those of no language. */
export function phrasesFor(phrases: readonly string[], locale: LocaleName): string[] {
  const of = (language: string) =>
    phrases.flatMap((phrase) =>
      phrase.startsWith(`${language}:`) ? phrase.slice(language.length + 1) : [],
    )
  const own = of(locale)
  if (own.length > 0) return own
  return phrases.flatMap((phrase) => /^(?:en:)?(?![a-z]{2}:)(.+)$/.exec(phrase)?.[1] ?? [])
}
