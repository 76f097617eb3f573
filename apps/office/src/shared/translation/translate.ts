import { limits } from '@duet/protocol/kernel/limits.ts'
import type { Locale } from '@duet/protocol/kernel/locales.ts'
import { api } from '../api.ts'
import { textLocale } from '../texts.ts'

/** The translations of texts by their originals; a text that the service cannot translate is missing. */
export async function translate(
  texts: readonly string[],
  locale: Locale,
): Promise<ReadonlyMap<string, string>> {
  const distinct = [...new Set(texts)].filter((text) => /\p{L}/u.test(text))
  const made = new Map<string, string>()
  for (let from = 0; from < distinct.length; from += limits.texts_translated) {
    const part = distinct.slice(from, from + limits.texts_translated)
    const { translations } = await api.post('v2/manager/translate', { texts: part, locale })
    part.forEach((text, index) => {
      const translation = translations[index]
      if (translation) made.set(text, translation)
    })
  }
  return made
}

/** The name of a language in the language of the office. */
export function languageName(locale: string): string {
  return new Intl.DisplayNames(textLocale, { type: 'language' }).of(locale) ?? locale
}
