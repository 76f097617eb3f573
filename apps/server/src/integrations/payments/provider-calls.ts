import { GatewayUnavailable } from '../../lib/payments/gateway-unavailable.ts'

const ANSWER_LIMIT_MS = 10_000
const ANSWER_BYTES_MAX = 256 * 1024

/**
 * The answer of a provider's API as text. `accepts`: statuses besides 2xx whose answers count.
 * @throws GatewayUnavailable
 */
export async function fetchText(
  url: string,
  init: RequestInit = {},
  accepts: readonly number[] = [],
): Promise<string> {
  const { host } = new URL(url)
  let answer: Response
  let text: string
  try {
    answer = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: init.signal ?? AbortSignal.timeout(ANSWER_LIMIT_MS),
    })
    text = await answer.text()
  } catch (error) {
    throw new GatewayUnavailable(`${host} does not answer`, { cause: error })
  }
  if (!answer.ok && !accepts.includes(answer.status))
    throw new GatewayUnavailable(`${host} answered ${answer.status}`)
  if (text.length > ANSWER_BYTES_MAX) throw new GatewayUnavailable(`${host} answered too much`)
  return text
}

/** The answer as an object whose numbers are texts. @throws GatewayUnavailable */
export async function fetchJson(
  url: string,
  init: RequestInit = {},
  accepts: readonly number[] = [],
): Promise<Record<string, unknown>> {
  const object = toExactObject(await fetchText(url, init, accepts))
  if (!object) throw new GatewayUnavailable(`${new URL(url).host} answered no object`)
  return object
}

/** The object of a JSON text, with its numbers as the texts that were sent: an amount never becomes a float. */
export function toExactObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text, (_name, one: unknown, context?: { source?: string }) =>
      typeof one === 'number' ? (context?.source ?? String(one)) : one,
    )
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object of a JSON text. Undefined for every other text. */
export function toObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A number of a JSON text with exactly these digits: a price never becomes a float. */
export function exactNumber(decimal: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(decimal)
}

/** The parameters of a query or of a form. Undefined if one comes twice: what was signed would be ambiguous. */
export function readParameters(text: string): Record<string, string> | undefined {
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in parameters) return undefined
    parameters[name] = value
  }
  return parameters
}
