import { refuse } from '../lib/refusal.ts'
import type { TransactionDb } from './db.ts'
import type { UserId } from './ids.ts'
import type { Connection } from './realtime.ts'

/** The circumstances of one request. */
export interface RequestContext {
  readonly request_id: string
  readonly address: string
  /** The socket of the request, for the few actions that are about the connection itself (AUTH, LOGOUT, subscriptions). */
  readonly connection?: Connection
  readonly idempotency_key?: string
  /** The origin of the page that sent the HTTP request, if it is an origin of the product. */
  readonly origin?: string | undefined
  /** The browser says that a page of another site caused this HTTP request. */
  readonly is_cross_site?: boolean
  /** Stores the answer of a request with an Idempotency-Key inside its transaction; a repeat gets it. Returns the answer. */
  readonly storeAnswer?: <Answer>(tx: TransactionDb, answer: Answer) => Promise<Answer>
  /** A solved captcha that came with the request (HTTP header `Captcha`). */
  readonly captcha?: string
  readonly locale?: string
  /** The country of the connection; null: unknown. */
  readonly country: string | null
  /** The state within the country; null: unknown. */
  readonly region: string | null
  /** The name that the client gives itself. Empty if the client gives no name. */
  readonly user_agent: string
  /** The body as it arrived, for requests in a provider's own format: that is what the provider signed. */
  readonly raw_body?: Buffer
  /** The query as it arrived, of the same requests. */
  readonly raw_query?: string
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  /** The user whose token a report about a call has. */
  readonly reporter_id?: UserId | undefined
  /** Sets the cookie of the answer, for requests of the back office. */
  readonly setCookie?: (cookie: string) => void
  /** Files of a multipart request, by field name. */
  readonly files?: ReadonlyMap<string, UploadedFile>
}

export interface UploadedFile {
  readonly filename: string
  readonly mimetype: string
  readonly bytes: Buffer
}

/** The file of a multipart request. Refuses invalid, too_large. */
export function uploadedFile(
  { files }: RequestContext,
  field: string,
  bytesMax: number,
): UploadedFile {
  const file = files?.get(field)
  if (!file || file.bytes.length === 0)
    refuse('invalid', { fields: [{ path: field, message: 'A file is needed' }] })
  return file.bytes.length > bytesMax ? refuse('too_large') : file
}
