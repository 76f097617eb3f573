import type { FingerprintService } from './fingerprint.ts'

export interface FingerprintProAccess {
  readonly url: string
  readonly secret: string
}

const ANSWER_LIMIT_MS = 5_000
/** An identification is sent right after it was made. So an older identification was stolen. */
const IDENTIFICATION_MAX_AGE_MS = 10 * 60_000

/** The fields of an event of the service that are read here. */
interface IdentificationEvent {
  readonly timestamp?: unknown
  readonly identification?: { readonly visitor_id?: unknown } | null
}

/** The server API of Fingerprint, version 4: the event of a request, with the visitor id that the service computed. */
export function createFingerprintPro(
  { url, secret }: FingerprintProAccess,
  nowMs: () => number,
): FingerprintService {
  return {
    async confirm({ visitor_id, request_id }) {
      const path = `${url}/v4/events/${encodeURIComponent(request_id)}`
      const answer = await fetch(path, {
        headers: { Authorization: `Bearer ${secret}` },
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      }).catch(() => undefined)
      if (answer?.status === 404 || answer?.status === 400) return 'refuted'
      if (!answer?.ok) return 'unavailable'
      const event: unknown = await answer.json().catch(() => undefined)
      const { timestamp, identification } = (event ?? {}) as IdentificationEvent
      const isRecent =
        typeof timestamp === 'number' && Math.abs(nowMs() - timestamp) <= IDENTIFICATION_MAX_AGE_MS
      return identification?.visitor_id === visitor_id && isRecent ? 'confirmed' : 'refuted'
    },
  }
}
