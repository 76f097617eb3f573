/** The result of a proof of age, as the provider's API tells it. Claims of a browser or a notice do not count. */
export interface AgeResult {
  readonly state: 'pending' | 'passed' | 'failed' | 'expired'
  /** How it was proven, in the provider's words: an estimate, a document, a card. */
  readonly method: string | null
  /** The provider's reference of its evidence. */
  readonly evidence_ref: string | null
}

export interface AgeSession {
  readonly session_id: string
  /** The provider's page that the user goes to. */
  readonly url: string
}

/** The provider does not answer, or refuses us. */
export class AgeUnavailable extends Error {
  override readonly name = 'AgeUnavailable'
}

/** A service that proves an age without telling us who the user is. */
export interface AgeProvider {
  readonly name: 'yoti' | 'verifymyage'
  /** The lowest age that an estimate of a face must show: it errs by some years. */
  readonly threshold: number
  /** `reference` means nothing to the provider. Throws AgeUnavailable. */
  start(of: {
    readonly reference: string
    readonly country: string
    readonly return_url: string
  }): Promise<AgeSession>
  /** Throws AgeUnavailable. */
  readResult(session_id: string): Promise<AgeResult>
}

export type Fields = Readonly<Record<string, unknown>>

const ANSWER_LIMIT_MS = 10_000

/** One call of a provider's API, answered in JSON. Its errors never quote the answer: it may hold personal data. */
export async function callAgeProvider(url: string, init: RequestInit): Promise<Fields> {
  const answer = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  }).catch((error: unknown) => {
    throw new AgeUnavailable('The provider of age proofs does not answer', { cause: error })
  })
  if (!answer.ok) throw new AgeUnavailable(`The provider of age proofs answered ${answer.status}`)
  const body: unknown = await answer.json().catch(() => undefined)
  return typeof body === 'object' && body !== null ? (body as Fields) : {}
}

export function findText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 200 ? value : null
}
