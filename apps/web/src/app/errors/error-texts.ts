import type { AnsweredRefusal } from '@duet/client'
import { hasText, t, type TextId } from '../../shared/i18n.ts'

/** What somebody was doing when it was refused; picks the title of the error dialog. */
const areas: Readonly<Record<string, string>> = {
  AUTH: 'login',
  'POST demo/sign-in': 'login',
  UPDATE_PROFILE: 'profile',
  'POST profile': 'profile',
  'POST age/confirm': 'profile',
  MATCH_AWAIT: 'chat',
  OUT_FROM_SEARCH: 'chat',
  SEARCH_PAIR_ACCEPT: 'chat',
  SEARCH_PAIR_REJECT: 'chat',
  INVITE_TO_CHAT: 'chat',
  SESSION_UP: 'chat',
  SESSION_UP_REACTION: 'chat',
  BREAK_SESSION: 'chat',
  TEXT_CHAT_MESSAGE: 'message',
  MESSAGE: 'message',
  'POST demo/minutes': 'wallet',
}

export function areaOf(call: string): string {
  return areas[call] ?? 'general'
}

export interface ErrorTexts {
  readonly title: string
  readonly text: string
  /** To be told to support. */
  readonly meta: string
}

/** What the error dialog is opened with. `code` is 0 for an answer without one, then its HTTP status is shown. */
export interface ReportedFailure {
  readonly area: string
  readonly refusal: AnsweredRefusal
  readonly code: number
  readonly http_status: number
  readonly additional: Readonly<Record<string, unknown>>
}

/** Title by area, text by area and refusal. */
export function errorTexts({
  area,
  refusal,
  code,
  http_status,
  additional,
}: ReportedFailure): ErrorTexts {
  const values = plainValues({ ...additional, http_status })
  const known = refusal === 'unknown' && code === 0 ? 'no_code' : refusal
  const text = [`error.${area}.${known}`, `error.${known}`].find(hasText)
  const title = text === undefined ? 'error.title.undefined' : `error.title.${area}`
  return {
    title: t((hasText(title) ? title : 'error.title.general') as TextId),
    text: t((text ?? 'error.undefined') as TextId, values),
    meta: code === 0 ? t('error.meta_status', { status: http_status }) : t('error.meta', { code }),
  }
}

function plainValues(
  additional: Readonly<Record<string, unknown>>,
): Record<string, string | number> {
  const plain = Object.entries(additional).filter(
    ([, value]) => typeof value === 'string' || typeof value === 'number',
  )
  return Object.fromEntries(plain) as Record<string, string | number>
}
