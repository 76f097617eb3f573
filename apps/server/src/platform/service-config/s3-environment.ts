import { isProtected } from '../../lib/loopback.ts'
import { StartRefused } from '../database/start-refused.ts'
import type { Values } from '../environment.ts'

/** A bucket for files, with the key of the server. */
export interface S3 {
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  readonly access_key: string
  readonly secret: string
}

export function s3Of(values: Values, production: boolean): S3 | undefined {
  if (values.S3_BUCKET === undefined) return undefined
  const { S3_ACCESS_KEY_ID: access_key, S3_SECRET_ACCESS_KEY: secret } = values
  if (!access_key || !secret)
    throw new StartRefused('S3_BUCKET must come with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  if (production && values.S3_ENDPOINT !== undefined && !isProtected(values.S3_ENDPOINT))
    throw new StartRefused(
      'S3_ENDPOINT must be an https:// address when NODE_ENV is production: pictures of users travel to it.',
    )
  return {
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION!,
    bucket: values.S3_BUCKET,
    access_key,
    secret,
  }
}
