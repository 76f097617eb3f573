import {
  type AgeProvider,
  type AgeResult,
  AgeUnavailable,
  callAgeProvider,
  findText,
} from './age.ts'

export interface AgeAccess {
  readonly url: string
  /** The SDK id of Yoti, the client id of VerifyMyAge. */
  readonly client: string
  readonly secret: string
}

const SESSION_SECONDS = 900
const DOCUMENT_AGE = 18
/** An estimate of a face is off by some years: 25 is 18 and a margin. */
const ESTIMATED_AGE = 25
const LEVEL = 'PASSIVE'

export function createYoti({ url, client, secret }: AgeAccess): AgeProvider {
  const headers = { Authorization: `Bearer ${secret}`, 'Yoti-SDK-Id': client }
  return {
    name: 'yoti',
    threshold: ESTIMATED_AGE,
    async start({ reference, return_url }) {
      const { id } = await callAgeProvider(`${url}/api/v1/sessions`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          type: 'OVER',
          ttl: SESSION_SECONDS,
          reference_id: reference,
          callback: { auto: true, url: return_url },
          cancel_url: return_url,
          age_estimation: { allowed: true, threshold: ESTIMATED_AGE, level: LEVEL },
          doc_scan: { allowed: true, threshold: DOCUMENT_AGE, level: LEVEL },
          digital_id: { allowed: true, threshold: DOCUMENT_AGE, level: 'NONE' },
        }),
      })
      const session_id = findText(id)
      if (session_id === null) throw new AgeUnavailable('Yoti answered without a session')
      const page = new URL(url)
      page.searchParams.set('sessionId', session_id)
      page.searchParams.set('sdkId', client)
      return { session_id, url: page.toString() }
    },
    async readResult(session_id) {
      const path = `${url}/api/v1/sessions/${encodeURIComponent(session_id)}/result`
      const { status, method, evidence_id } = await callAgeProvider(path, { headers })
      return {
        state: toState(status),
        method: findText(method),
        evidence_ref: findText(evidence_id),
      }
    },
  }
}

/** A failed attempt may precede a successful attempt: only COMPLETE passes. */
function toState(status: unknown): AgeResult['state'] {
  if (status === 'COMPLETE') return 'passed'
  if (status === 'FAIL') return 'failed'
  return status === 'EXPIRED' ? 'expired' : 'pending'
}
