import type { Ack, Input } from '@duet/protocol'
import type { App, AppContext } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { connectionAttributes, userNow, changeUser, hasRow } from '../identity/index.ts'
import { fingerprintHash, type FingerprintedClient } from './signal-hash.ts'
import { recordSignals } from './signals-store.ts'

/** Stores the fingerprint of the device: with the connection until the guest has a row, in the row afterwards. */
export async function setFingerprint(
  app: App,
  viewer: Guest | Member,
  input: Input<'D_INFO'>,
  context: RequestContext,
): Promise<Ack<'D_INFO'>> {
  const fingerprint = fingerprintHash(app, 'fingerprint', input.fingerprint)
  connectionAttributes(app, viewer.id, context).fingerprint = fingerprint
  if (hasRow(viewer)) await storeFingerprint(app, viewer, fingerprint, context)
  return {}
}

async function storeFingerprint(
  app: App,
  viewer: Guest | Member,
  fingerprint: string,
  context: RequestContext,
): Promise<void> {
  const isNew = (await userNow(app, viewer.id))?.fingerprint !== fingerprint
  await app.transact(async (tx) => {
    if (isNew) await changeUser(tx, viewer.id, { fingerprint })
    await recordSignals(tx, viewer.id, clientOfConnection(app, context, viewer.id))
  })
}

/**
 * Stores the fingerprint of an outside service once the service has confirmed it; a browser can claim any. Without the
 * service nothing is stored.
 */
export async function setProFingerprint(
  app: App,
  viewer: Guest | Member,
  claimed: Input<'PRO_D_INFO'>,
  context: RequestContext,
): Promise<Ack<'PRO_D_INFO'>> {
  if (!(await isConfirmed(app, claimed))) return {}
  const { visitor_id } = claimed
  connectionAttributes(app, viewer.id, context).pro_fingerprint = fingerprintHash(
    app,
    'pro_fingerprint',
    visitor_id,
  )
  if (viewer.kind === 'member')
    await app.transact((tx) =>
      recordSignals(tx, viewer.id, clientOfConnection(app, context, viewer.id)),
    )
  return {}
}

async function isConfirmed(app: App, claimed: Input<'PRO_D_INFO'>): Promise<boolean> {
  const answer = await app.fingerprints?.confirm(claimed)
  if (answer === 'unavailable') app.log.warn('the service of fingerprints did not answer')
  return answer === 'confirmed'
}

/** The client of a request, with the fingerprints that its connection has sent. */
export function clientOfConnection(
  app: AppContext,
  context: RequestContext,
  user_id?: Member['id'],
): FingerprintedClient {
  const { fingerprint, pro_fingerprint } = connectionAttributes(app, user_id, context)
  return {
    address: context.address,
    fingerprint: fingerprint ?? null,
    pro_fingerprint: pro_fingerprint ?? null,
  }
}
