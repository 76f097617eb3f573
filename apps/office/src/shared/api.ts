import type { RefusalName } from '@duet/protocol'
import { createHttp, NoAnswerError, RefusedError, type SolveCaptcha } from '@duet/client'

import { t, textOr } from './texts.ts'
import { shortTime } from './times.ts'

/** Set by the app at its start. */
export const captcha: { solve?: SolveCaptcha } = {}

/** The session is a cookie that this page cannot read: no token is kept here. */
export const api = createHttp({
  origin: '',
  token: () => undefined,
  onTokenRefused: () => undefined,
  fetch: (address, init) => fetch(address, { ...init, keepalive: outlivesPage(init) }),
  solveCaptcha: (challenge, call) => captcha.solve?.(challenge, call) ?? Promise.resolve(undefined),
})

/** Browsers keep at most 64 KiB of such requests. */
const KEPT_CHARACTERS_MAX = 20_000

/** A decision and a release reach the server also when the tab that sends them is closed. */
function outlivesPage({ method, body }: RequestInit = {}): boolean {
  return method === 'POST' && typeof body === 'string' && body.length <= KEPT_CHARACTERS_MAX
}

/** Whether an error is one of these refusals of the server. */
export function isRefused(error: unknown, ...names: readonly RefusalName[]): error is RefusedError {
  return error instanceof RefusedError && (names as readonly string[]).includes(error.refusal)
}

/** The browser cannot use a passkey on this page. */
export class PasskeyError extends Error {}

/** The sentence for an error of a call. */
export function errorSentence(error: unknown): string {
  if (error instanceof NoAnswerError) return t('office.error.no_answer')
  if (error instanceof PasskeyError) return t('office.error.passkey')
  if (!(error instanceof RefusedError)) return t('office.error.unknown')
  if (error.refusal === 'invalid') {
    const fields = error.additional['fields'] as { path: string; message: string }[] | undefined
    if (fields?.[0]) return t('office.error.field', fields[0])
  }
  if (error.refusal === 'banned_already') return bannedSentence(error.additional['until'])
  return textOr(`error.${error.refusal}`, error.message)
}

function bannedSentence(until: unknown): string {
  return typeof until === 'string'
    ? t('office.error.banned_until', { until: shortTime(until) })
    : t('office.error.banned_endless')
}
