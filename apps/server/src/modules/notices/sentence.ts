import { serverText } from '../../platform/texts.ts'
import type { NoticeFacts, SentNoticeKind } from './kinds.ts'

/** The sentence of the bell, for push and mail, in the user's language. */
export function toSentence(
  locale: string,
  kind: SentNoticeKind,
  facts: NoticeFacts,
  nick = '',
): string {
  const values = Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : String(value),
    ]),
  )
  return serverText(locale, 'notices', `bell.${kind}`, { ...values, nick })
}

/** The line about an unread message: its sender and its kind, and never its text. */
export function messageSentence(locale: string, nick: string, type: string): string {
  return serverText(locale, 'notices', 'away.message', { nick, type })
}

/** The line about a call that rings, or rang. */
export function ringSentence(locale: string, nick: string, state: 'ringing' | 'over'): string {
  return serverText(locale, 'notices', 'away.ring', { nick, state })
}

/** The title of a date in a calendar. It names no person: others see calendars too. */
export function dateTitle(locale: string): string {
  return serverText(locale, 'notices', 'away.date')
}
