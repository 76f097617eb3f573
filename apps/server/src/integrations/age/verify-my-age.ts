import { createHmac } from 'node:crypto'
import {
  type AgeProvider,
  type AgeResult,
  AgeUnavailable,
  callAgeProvider,
  findText,
} from './age.ts'
import type { AgeAccess } from './yoti.ts'

const DOCUMENT_AGE = 18

/** HMAC-SHA256 over the body of a POST, or the path of a GET. */
export function signedByVerifyMyAge(secret: string, signed: string): string {
  return createHmac('sha256', secret).update(signed).digest('hex')
}

export function createVerifyMyAge({ url, client, secret }: AgeAccess): AgeProvider {
  const authorization = (signed: string) => `hmac ${client}:${signedByVerifyMyAge(secret, signed)}`
  return {
    name: 'verifymyage',
    threshold: DOCUMENT_AGE,
    async start({ reference, country, return_url }) {
      const body = JSON.stringify({
        redirect_url: return_url,
        country: country.toLowerCase(),
        external_user_id: reference,
      })
      const answer = await callAgeProvider(`${url}/api/v3/verifications`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: authorization(body) },
        body,
      })
      const session_id = findText(answer.verification_id)
      const page = findText(answer.start_verification_url)
      if (session_id === null || page === null || !page.startsWith('https://'))
        throw new AgeUnavailable('VerifyMyAge answered without a page')
      return { session_id, url: page }
    },
    async readResult(session_id) {
      const path = `/api/v3/verifications/${encodeURIComponent(session_id)}`
      const { verification_status, status, method } = await callAgeProvider(`${url}${path}`, {
        headers: { Authorization: authorization(path) },
      })
      const state = toState(verification_status ?? status)
      return { state, method: findText(method), evidence_ref: session_id }
    },
  }
}

function toState(status: unknown): AgeResult['state'] {
  if (status === 'approved') return 'passed'
  return status === 'failed' || status === 'expired' ? status : 'pending'
}
