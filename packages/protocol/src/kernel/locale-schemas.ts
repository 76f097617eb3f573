/** The schemas of languages. They are apart from the list of languages, so that a browser bundle without a schema has no zod. */
import { z } from 'zod'
import { limits } from './limits.ts'
import { FALLBACK_LOCALE, localeNames, nearestLocale } from './locales.ts'

export const LocaleName = z.enum(localeNames)
export type LocaleName = z.output<typeof LocaleName>

const LanguageTag = z.string().max(limits.name_characters)

/**
 * The language of a browser in a request. A language that Duet does not have is read as absent, never
 * refused.
 */
export const BrowserLocale = LanguageTag.transform(nearestLocale).pipe(LocaleName.optional())

/** The language in which a request wants its answer: the nearest language, or English. */
export const RequestedLocale = LanguageTag.transform(
  (tag) => nearestLocale(tag) ?? FALLBACK_LOCALE,
).pipe(LocaleName)
