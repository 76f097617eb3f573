import type { AnsweredRefusal } from '@duet/client'
import { hasText, t, type TextId } from '../../shared/i18n.ts'

export interface ErrorTexts {
  readonly title: string
  readonly text: string
  /** For support: the number or the HTTP status. */
  readonly meta: string
}

/** `code` is 0 if the answer has no code. The HTTP status is then shown. */
export interface ErrorDialogInput {
  readonly area: string
  readonly refusal: AnsweredRefusal
  readonly code: number
  readonly http_status: number
  readonly additional: Readonly<Record<string, unknown>>
}

/** The title depends on the area, the text on area and refusal. */
export function errorTexts({
  area,
  refusal,
  code,
  http_status,
  additional,
}: ErrorDialogInput): ErrorTexts {
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
