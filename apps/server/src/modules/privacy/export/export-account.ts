import { Readable } from 'node:stream'
import { perApp } from '../../../core/app-state.ts'
import type { Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Member } from '../../../core/viewer.ts'
import { msBetween } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { RawResponse } from '../../../core/raw-response.ts'
import { findSite, toNetwork } from '../../../platform/http/client-address.ts'
import { assertExportKey } from './export-key.ts'
import { watchReader } from './watch-reader.ts'
import { zipExport } from './zip-export.ts'

/** Exports that run at a time: each reads everything about a user. */
const RUNNING_MAX = 6
/** Of the customers of one network or site: a few accounts must not take every place. */
const RUNNING_OF_NETWORK_MAX = 2
const RETRY_SECONDS = 30
const TOTAL_MS = 30 * 60_000
const CHECK_EVERY_MS = 5_000
/** Small, so that even the reader of a long video requests the next part in time. */
const PART_BYTES = 64 * 1024

const running = perApp(
  'privacy: exports',
  'the users whose export runs, and their networks; starts empty',
  () => new Map<UserId, string>(),
)

/**
 * The copy of the own data as a file that is made while it is sent. The user is notified. The file ends
 * early if its reader stalls or takes too long in all. Refuses too_many, and password_required without a
 * key of `confirmExport`.
 */
export async function exportAccount(
  app: App,
  viewer: Member,
  { key }: Query<'GET account/export'>,
  { address }: RequestContext,
): Promise<RawResponse> {
  assertExportKey(app, viewer, key)
  const exports = running(app)
  const network = findSite(address) ?? toNetwork(address)
  const ofNetwork = [...exports.values()].filter((one) => one === network).length
  if (exports.size >= RUNNING_MAX || ofNetwork >= RUNNING_OF_NETWORK_MAX || exports.has(viewer.id))
    refuse('too_many', { retry_after: RETRY_SECONDS })
  exports.set(viewer.id, network)
  // The user learns of it, should another person know the password.
  await app
    .transact((tx) => tx.publish('security_changed', { user_id: viewer.id, what: 'export' }))
    .catch((error: unknown) => {
      exports.delete(viewer.id)
      throw error
    })
  const { clock } = app
  const began = clock.now()
  const reader = watchReader(clock)
  const body = Readable.from(inParts(zipExport(app, viewer.id), reader.onOffer), {
    objectMode: false,
  })
  const stopChecking = clock.every(CHECK_EVERY_MS, () => {
    if (reader.isTooSlow() || msBetween(began, clock.now()) > TOTAL_MS) body.destroy()
  })
  body.once('close', () => {
    stopChecking()
    exports.delete(viewer.id)
  })
  return new RawResponse({
    body,
    content_type: 'application/zip',
    headers: { 'Content-Disposition': 'attachment; filename="duet-data.zip"' },
  })
}

async function* inParts(
  bytes: AsyncGenerator<Uint8Array>,
  onOffer: (bytes: number, isOffered: boolean) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes)
    for (let from = 0; from < chunk.length; from += PART_BYTES) {
      const part = chunk.subarray(from, from + PART_BYTES)
      onOffer(part.length, true)
      yield part
      onOffer(part.length, false)
    }
}
