import { z } from 'zod'
import { isProtected } from '../../lib/addresses/loopback.ts'
import { StartRefused } from '../../lib/configuration/start-refused.ts'
import { type Installation, secret, text, type Values } from '../../lib/configuration/variables.ts'

export const STORAGE_VARIABLES = {
  S3_ENDPOINT: z
    .url()
    .meta({ must_be: 'an address', description: 'An S3 service other than Amazon’s.' }),
  S3_REGION: text('a region').prefault('us-east-1').describe('Region of the bucket.'),
  S3_BUCKET: text('the name of a bucket', 3).describe(
    'Keeps uploaded files in a private bucket; the server serves them. The key needs s3:ListBucket, and reading, writing and deleting of objects. Absent: files are in DATA_DIR/files.',
  ),
  S3_ACCESS_KEY_ID: secret('an access key', 1).describe('Belongs to S3_BUCKET.'),
  S3_SECRET_ACCESS_KEY: secret('a secret key', 1).describe('Belongs to S3_BUCKET.'),
}

/** A bucket for files, with the key of the server. */
export function readS3(values: Values<typeof STORAGE_VARIABLES>, { production }: Installation) {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = values
  const { S3_ACCESS_KEY_ID: access_key, S3_SECRET_ACCESS_KEY: secret } = values
  if (bucket === undefined) return undefined
  if (!access_key || !secret)
    throw new StartRefused('S3_BUCKET must come with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  if (production && endpoint !== undefined && !isProtected(endpoint))
    throw new StartRefused(
      'S3_ENDPOINT must be an https:// address when NODE_ENV is production: pictures of users travel to it.',
    )
  return { endpoint, region, bucket, access_key, secret }
}
