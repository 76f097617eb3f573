import type { Connection } from '../platform/realtime/connection.ts'

/** The circumstances of one call. */
export interface RequestContext {
  readonly request_id: string
  readonly address: string
  /** The socket it came by, for the few actions that are about the line itself (AUTH, LOGOUT, subscriptions). */
  readonly connection?: Connection
  readonly idempotency_key?: string
  /** A solved captcha that came with the call (HTTP header `Captcha`). */
  readonly captcha?: string
  readonly locale?: string
  readonly country: string | null
  /** Of a call that takes the provider's own format: what was signed is what arrived. */
  readonly raw_body?: Buffer
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  /** Files of a multipart call, by field name. */
  readonly files?: ReadonlyMap<string, UploadedFile>
}

export interface UploadedFile {
  readonly filename: string
  readonly mimetype: string
  readonly bytes: Buffer
}
