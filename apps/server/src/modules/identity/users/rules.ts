import { limits } from '@duet/protocol'
import { isNormalizable } from '@duet/protocol/kernel/primitives.ts'
import type { RefusalName } from '@duet/protocol'
import { productDay } from '../../../lib/clock.ts'

/** Rules of names, addresses, passwords and birthdays. Each returns the refusal that applies, or undefined. */

/** The number of characters as users count them: code points after NFC. */
export function countCharacters(text: string): number {
  return [...text.normalize('NFC')].length
}

/** Control characters and blanks that show nothing. Joiners are kept: some scripts use them inside words. */
const INVISIBLE = /(?![\u200c\u200d])[\p{C}\u2800\u3164\u115f\u1160\uffa0]/gu
const JOINERS = /[\u200c\u200d]/g

/**
 * A name as it is stored: in NFC, without invisible characters, one space between words. A name that is too
 * long or has too many marks stays unchanged, because normalising it takes long. `nickRefusal` refuses such
 * a name.
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
  if (countCharacters(nick.replaceAll(JOINERS, '')) < limits.nick_characters_min)
    return when === 'registering' ? 'name_short' : 'nick_short'
  return countCharacters(nick) > limits.nick_characters ? 'name_long' : undefined
}

/** The user is 18 or older on the current day of the product's time zone, and at most 120. */
export function birthdayRefusal(birthday: string, now: Temporal.Instant): RefusalName | undefined {
  const born = parseDay(birthday)
  if (!born) return 'birthday_invalid'
  const age = ageOn(born, productDay(now))
  return age >= limits.age_years && age <= 120 ? undefined : 'birthday_invalid'
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
