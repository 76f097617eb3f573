import type { Readable } from 'node:stream'

/** An answer in its own format (`gives: 'raw'`): a file, a picture, an acknowledgement. Not cached unless its headers allow it. */
export class RawResponse {
  readonly body: Buffer | string | Readable
  readonly content_type: string
  readonly headers: Readonly<Record<string, string>>
  readonly status: number

  constructor(of: {
    body: Buffer | string | Readable
    content_type: string
    headers?: Readonly<Record<string, string>>
    status?: number
  }) {
    this.body = of.body
    this.content_type = of.content_type
    this.headers = of.headers ?? {}
    this.status = of.status ?? 200
  }
}
