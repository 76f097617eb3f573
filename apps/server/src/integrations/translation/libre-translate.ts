import type { Translation, Translator } from './translation.ts'

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
/** After a failure of the service nothing is sent to it for this long. */
const PAUSE_MS = 30_000
/** One text can be slow by its nature: only slow answers to as many users in a row are a failure of the service. */
const SLOW_USERS_MAX = 3
/** More than a thousand characters become in any language. */
const ANSWER_BYTES_MAX = 64 * 1024
const SURE_PERCENT = 30
/** Wrong key, too many requests, and a proxy in front of a service that is away. */
const PAUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 429, 502, 503, 504])

function isWorkedOn(status: number): boolean {
  return (status < 300 || status >= 500) && !PAUSING_STATUSES.has(status)
}

/** LibreTranslate, an own installation or a hosted one. */
export function createLibreTranslate(options: LibreTranslateOptions): Translator {
  const { nowMs, onUnavailable } = options
  let pausedUntilMs = 0
  const slowUsers = new Set<number>()
  const pause = (reason: string) => {
    pausedUntilMs = nowMs() + PAUSE_MS
    slowUsers.clear()
    onUnavailable(reason)
  }
  return {
    async translate({ text, to, user_id }) {
      if (nowMs() < pausedUntilMs) return undefined
      try {
        const answer = await ask(options, { q: text, source: 'auto', target: to, format: 'text' })
        const reply = answer.ok ? await readBounded(answer) : await answer.body?.cancel()
        slowUsers.clear()
        // Other statuses are about this text or language: the service itself works.
        if (PAUSING_STATUSES.has(answer.status)) pause(`status ${answer.status}`)
        // Below 500 it refuses the text or the language before it works on it.
        return translationIn(reply) ?? (isWorkedOn(answer.status) ? 'failed' : undefined)
      } catch (error) {
        const isSlow = error instanceof Error && error.name === 'TimeoutError'
        if (!isSlow) pause(String(error))
        else if (slowUsers.add(user_id).size >= SLOW_USERS_MAX) pause('slow answers')
        return isSlow ? 'failed' : undefined
      }
    },
  }
}

function ask(
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
