import type { UserInterlocutor } from '@duet/protocol'
import { currentLocale, locales, t } from '../i18n.ts'

/** "Mira, 26", or the nick alone where the age is unknown. */
export function formatPersonName({ nick, age }: Pick<UserInterlocutor, 'nick' | 'age'>): string {
  return age ? t('person.name_age', { nick, age }) : nick
}

/** A country in the page's language. If the browser does not know the country, the code. */
export function formatCountry(country: string): string {
  try {
    return new Intl.DisplayNames(currentLocale(), { type: 'region' }).of(country) ?? country
  } catch {
    return country
  }
}

/** In the page's language, for a sentence. */
export function formatLanguageName(tag: string): string {
  return new Intl.DisplayNames(currentLocale(), { type: 'language' }).of(tag) ?? tag
}

/** As its speakers call it, for a tag. */
export function formatLanguage(locale: UserInterlocutor['locale']): string {
  return locales[locale].name
}
