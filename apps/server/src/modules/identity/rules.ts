import { limits } from '@duet/protocol'
import { isNormalizable } from '@duet/protocol/kernel/primitives.ts'
import type { RefusalName } from '@duet/protocol'
import { productDay } from '../../lib/clock.ts'
import { isBestKnownPassword } from './login/best-known-passwords.ts'

/** Rules of names, addresses, passwords and birthdays. Each returns the refusal that applies, or undefined. */

/** The number of characters as users count them: code points after NFC. */
export function lengthOf(text: string): number {
  return [...text.normalize('NFC')].length
}

/** Control characters and blanks that show nothing. Joiners are kept: some scripts use them inside words. */
const INVISIBLE = /(?![\u200c\u200d])[\p{C}\u2800\u3164\u115f\u1160\uffa0]/gu
const JOINERS = /[\u200c\u200d]/g

/**
 * A name as it is stored: in NFC, without invisible characters, one space between words. A name that is too long or has
 * too many marks stays as it is, because normalising it takes long; `nickRefusal` refuses it.
 */
export function cleanName(nick: string): string {
  if (!isNormalizable(nick, limits.nick_characters)) return nick
  return nick.normalize('NFC').replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').trim()
}

/** Expects a name that `cleanName` returned. */
export function nickRefusal(
  nick: string,
  when: 'registering' | 'changing',
): RefusalName | undefined {
  if (!isNormalizable(nick, limits.nick_characters)) return 'name_long'
  if (lengthOf(nick.replaceAll(JOINERS, '')) < limits.nick_characters_min)
    return when === 'registering' ? 'name_short' : 'nick_short'
  return lengthOf(nick) > limits.nick_characters ? 'name_long' : undefined
}

/** A text about oneself as it is stored; one that is refused stays as it is. */
export function cleanAbout(about: string): string {
  return isNormalizable(about, limits.about_characters) ? about.normalize('NFC') : about
}

/** Expects a text that `cleanAbout` returned. */
export function aboutRefusal(about: string): RefusalName | undefined {
  if (!isNormalizable(about, limits.about_characters)) return 'about_long'
  return lengthOf(about) > limits.about_characters ? 'about_long' : undefined
}

/** One @ with a name before it and a domain with a dot after it, no spaces. Whether it exists, only a mail can show. */
const EMAIL_ADDRESS =
  /^[^\s@<>(),;:"]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

export function emailRefusal(email: string): RefusalName | undefined {
  return email.length <= limits.email_characters && EMAIL_ADDRESS.test(email)
    ? undefined
    : 'email_invalid'
}

export function passwordRefusal(
  password: string,
  repeated: string | undefined,
): RefusalName | undefined {
  if (repeated !== undefined && repeated !== password) return 'passwords_differ'
  if (
    password.length > limits.password_characters ||
    !isNormalizable(password, limits.password_characters) ||
    lengthOf(password) < limits.password_characters_min
  )
    return 'password_weak'
  const hasFewCharacters = new Set(password.toLowerCase()).size < 3
  return hasFewCharacters || isBestKnownPassword(password) ? 'password_weak' : undefined
}

/** The user is 18 or older on the current day of the product's time zone, and at most 120. */
export function birthdayRefusal(birthday: string, now: Temporal.Instant): RefusalName | undefined {
  const born = parseDay(birthday)
  if (!born) return 'birthday_invalid'
  const age = ageOn(born, productDay(now))
  return age >= limits.age_years && age <= 120 ? undefined : 'birthday_invalid'
}

/** Digits with the usual separators, a plus only at the start. Whether the number exists, only a call can show. */
const PHONE = /^\+?[\d ().-]{5,32}$/

export function isPhone(phone: string): boolean {
  return PHONE.test(phone) && (phone.match(/\d/g)?.length ?? 0) >= 5
}

export function isZone(zone: string): boolean {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone) !== undefined
  } catch {
    return false
  }
}

export function parseDay(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return undefined
  }
}

export function ageOn(born: Temporal.PlainDate, day: Temporal.PlainDate): number {
  return born.until(day, { largestUnit: 'year' }).years
}
