/** The eleven languages, each under its own name; English is the fallback. */
export const locales = {
  ru: { name: 'Русский', direction: 'ltr' },
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
  fr: { name: 'Français', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  it: { name: 'Italiano', direction: 'ltr' },
  pt: { name: 'Português', direction: 'ltr' },
  zh: { name: '中文', direction: 'ltr' },
  ko: { name: '한국어', direction: 'ltr' },
  ja: { name: '日本語', direction: 'ltr' },
} as const satisfies Record<string, { name: string; direction: 'ltr' | 'rtl' }>

export type Locale = keyof typeof locales
export const localeNames = Object.keys(locales) as [Locale, ...Locale[]]
export const FALLBACK_LOCALE: Locale = 'en'

export function isLocale(word: string): word is Locale {
  return Object.hasOwn(locales, word)
}

/** The language that a tag of BCP 47 names: `de-AT` is `de`; undefined for a language that Duet does not have. */
export function nearestLocale(tag: string): Locale | undefined {
  const [language = ''] = tag.toLowerCase().split(/[-_]/)
  return isLocale(language) ? language : undefined
}

export function getDirection(locale: Locale): 'ltr' | 'rtl' {
  return locales[locale].direction
}
