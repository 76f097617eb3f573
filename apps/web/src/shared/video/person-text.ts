import type { UserInterlocutor } from '@duet/protocol'
import { currentLocale, locales, t, type TextId } from '../i18n.ts'

/** "Mira, 26", or the nick alone where the age is unknown. */
export function nameOf({ nick, age }: Pick<UserInterlocutor, 'nick' | 'age'>): string {
  return age ? t('person.name_age', { nick, age }) : nick
}

/** A country in the page's language; the code where the browser does not know it. */
export function countryOf(country: string): string {
  try {
    return new Intl.DisplayNames(currentLocale(), { type: 'region' }).of(country) ?? country
  } catch {
    return country
  }
}

/** In the page's language, for a sentence. */
export function languageNameOf(tag: string): string {
  return new Intl.DisplayNames(currentLocale(), { type: 'language' }).of(tag) ?? tag
}

/** As its speakers call it, for a tag. */
export function languageOf(locale: UserInterlocutor['locale']): string {
  return locales[locale].name
}

/** Whole minutes from one on, seconds below. */
export function durationOf(seconds: number): string {
  return seconds < 60
    ? t('video.duration.seconds', { seconds: Math.max(0, Math.floor(seconds)) })
    : t('video.duration.minutes', { minutes: Math.floor(seconds / 60) })
}

/** A whole number of minutes or hours, for "about 2 hours". */
export function roughDurationOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const id: TextId = minutes >= 90 ? 'video.duration.hours' : 'video.duration.minutes'
  return minutes < 1 ? durationOf(seconds) : t(id, { minutes, hours: Math.round(minutes / 60) })
}
