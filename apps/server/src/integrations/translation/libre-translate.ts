import { createServiceState } from './service-state.ts'
import type { Translation, TranslationOrder, Translator } from './translation.ts'

export interface LibreTranslateOptions {
  readonly url: string
  readonly key: string | undefined
  readonly nowMs: () => number
  /** Called when the service is left alone for a while. */
  readonly onUnavailable: (reason: string) => void
  readonly answer_limit_ms?: number
}

/** A text of a thousand characters takes a processor about two seconds. */
const ANSWER_LIMIT_MS = 6_000
/** More than a thousand characters become in any language. */
const ANSWER_BYTES_MAX = 64 * 1024
const SURE_PERCENT = 30
/**
 * A wrong key, too many requests, a service that is down, or a proxy that refuses this text or does not
 * wait for its translation.
 */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 429, 502, 503, 504])
/** A text that every installation translates at once, if it works. */
const PROBE = { text: 'Bonjour', to: 'en' }

function isFailure(status: number): boolean {
  return status >= 500 || REFUSING_STATUSES.has(status)
}

/** LibreTranslate, an own or a hosted installation. */
export function createLibreTranslate(options: LibreTranslateOptions): Translator {
  const { nowMs, onUnavailable } = options
  const service = createServiceState({
    nowMs,
    onUnavailable,
    probe: async () => {
      const { status, error } = await ask(options, PROBE)
      if (error !== undefined) return error.name === 'TimeoutError' ? error.name : String(error)
      return isFailure(status) ? `status ${status}` : undefined
    },
  })
  return {
    async translate({ text, to, user_id }) {
      const pause = await service.pauseFor(user_id)
      if (pause !== undefined) return pause === 'unavailable' ? undefined : pause
      const { status, reply, error } = await ask(options, { text, to })
      if (error !== undefined) {
        service.reportFailure({ user_id, pausesUser: true })
        return error.name === 'TimeoutError' ? 'failed' : undefined
      }
      const pausesUser = REFUSING_STATUSES.has(status)
      if (isFailure(status)) service.reportFailure({ user_id, pausesUser })
      if (pausesUser) return undefined
      // Below 500 it refuses the text or the language before it works on it.
      return translationIn(reply) ?? (status < 300 || status >= 500 ? 'failed' : undefined)
    },
  }
}

interface ServiceAnswer {
  readonly status: number
  readonly reply?: unknown
  /** Why there is no answer. */
  readonly error?: Error
}

async function ask(
  options: LibreTranslateOptions,
  order: Pick<TranslationOrder, 'text' | 'to'>,
): Promise<ServiceAnswer> {
  try {
    const answer = await post(options, {
      q: order.text,
      source: 'auto',
      target: order.to,
      format: 'text',
    })
    const reply = answer.ok ? await readBounded(answer) : await answer.body?.cancel()
    return { status: answer.status, reply }
  } catch (error) {
    return { status: 0, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

function post(
  { url, key, answer_limit_ms = ANSWER_LIMIT_MS }: LibreTranslateOptions,
  request: Readonly<Record<string, string>>,
): Promise<Response> {
  return fetch(`${url}/translate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(key === undefined ? request : { ...request, api_key: key }),
    redirect: 'error',
    signal: AbortSignal.timeout(answer_limit_ms),
  })
}

/** Undefined where the answer is too long or no JSON: a text can cause both. @throws if it does not arrive */
async function readBounded(answer: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

interface Reply {
  readonly translatedText?: unknown
  readonly detectedLanguage?: { readonly language?: unknown; readonly confidence?: unknown } | null
}

function translationIn(reply: unknown): Translation | undefined {
  const { translatedText: text, detectedLanguage } = (reply ?? {}) as Reply
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const { language, confidence } = detectedLanguage ?? {}
  const isSure = typeof confidence === 'number' && confidence >= SURE_PERCENT
  return { text, from: isSure ? languageTag(language) : undefined }
}

function languageTag(language: unknown): string | undefined {
  return typeof language === 'string' && /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/.test(language)
    ? language
    : undefined
}
