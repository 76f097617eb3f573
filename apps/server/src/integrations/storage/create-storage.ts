import { join } from 'node:path'
import { createFolderStorage } from './folder-storage.ts'
import { createS3Storage, type S3Options } from './s3-storage.ts'
import type { Storage } from './storage.ts'

/** The configured bucket, otherwise a folder beside the other data. */
export function createStorage(config: {
  readonly data_dir: string
  readonly s3: S3Options | undefined
}): Storage {
  return config.s3
    ? createS3Storage(config.s3)
    : createFolderStorage(join(config.data_dir, 'files'))
}
