import { Readable } from 'node:stream'
import { perApp } from '../../../core/app-state.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { RawResponse } from '../../../platform/http/raw-response.ts'
import { zipExport } from './zip-export.ts'

/** Exports that run at a time: each reads everything about a user. */
const RUNNING_MAX = 2
const RETRY_SECONDS = 30

const running = perApp(
  'privacy: exports',
  'the users whose export runs; starts empty',
  () => new Set<UserId>(),
)

/** The copy of the own data as a file that is made while it is sent. Refuses too_many. */
export async function exportAccount(app: App, viewer: Member): Promise<RawResponse> {
  const exports = running(app)
  if (exports.size >= RUNNING_MAX || exports.has(viewer.id))
    refuse('too_many', { retry_after: RETRY_SECONDS })
  return new RawResponse({
    body: Readable.from(counted(exports, viewer.id, zipExport(app, viewer.id))),
    content_type: 'application/zip',
    headers: { 'Content-Disposition': 'attachment; filename="duet-data.zip"' },
  })
}

/** Counts from the first byte that is read to the last one, or to the moment at which the reader goes away. */
async function* counted(
  exports: Set<UserId>,
  user_id: UserId,
  bytes: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  exports.add(user_id)
  try {
    yield* bytes
  } finally {
    exports.delete(user_id)
  }
}
