import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { connectionAttributes } from '../login/connection-attributes.ts'
import { changeUser } from '../store.ts'
import { hasRow } from '../viewer.ts'

/** Stores the fingerprint of the device: with the connection until the guest has a row, in the row afterwards. */
export async function setFingerprint(
  app: App,
  viewer: Guest | Member,
  { fingerprint }: Input<'D_INFO'>,
  context: RequestContext,
): Promise<Ack<'D_INFO'>> {
  connectionAttributes(app, viewer.id, context).fingerprint = fingerprint
  if (hasRow(viewer)) await app.transact((tx) => changeUser(tx, viewer.id, { fingerprint }))
  return {}
}
