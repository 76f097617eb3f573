import type { FingerprintService } from './fingerprint.ts'

export interface FingerprintProAccess {
  readonly url: string
  readonly secret: string
}

const ANSWER_LIMIT_MS = 5_000
/** An identification is sent right after it was made: an older one was overheard. */
const IDENTIFICATION_MAX_AGE_MS = 10 * 60_000

interface Identification {
  readonly visitorId?: unknown
  readonly timestamp?: unknown
}

/** The server API of Fingerprint, version 3: the event of a request, with the visitor id that the service computed. */
export function createFingerprintPro(
  { url, secret }: FingerprintProAccess,
  nowMs: () => number,
): FingerprintService {
  return {
    async confirm({ visitor_id, request_id }) {
      const path = `${url}/events/${encodeURIComponent(request_id)}`
      const answer = await fetch(path, {
        headers: { 'Auth-API-Key': secret },
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      }).catch(() => undefined)
      if (answer?.status === 404 || answer?.status === 400) return 'refuted'
      if (!answer?.ok) return 'unavailable'
      const { visitorId, timestamp } = identificationOf(await answer.json().catch(() => undefined))
      const isRecent =
        typeof timestamp === 'number' && Math.abs(nowMs() - timestamp) <= IDENTIFICATION_MAX_AGE_MS
      return visitorId === visitor_id && isRecent ? 'confirmed' : 'refuted'
    },
  }
}

function identificationOf(body: unknown): Identification {
  const event = body as
    | { readonly products?: { readonly identification?: { readonly data?: Identification } } }
    | null
    | undefined
  return event?.products?.identification?.data ?? {}
}
