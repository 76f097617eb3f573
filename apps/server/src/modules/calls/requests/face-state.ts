import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { reportFace } from '../../matchmaking/index.ts'
import { getParty } from '../call-registry.ts'

/** Her device sees a face again, or has seen none for a while. Refuses not_found for a call that is not hers. */
export async function faceState(
  app: App,
  viewer: Member,
  { session_id, present, since_ms }: Input<'FACE_STATE'>,
): Promise<Ack<'FACE_STATE'>> {
  if (session_id !== undefined) getParty(app, viewer.id, session_id)
  await reportFace(app, viewer.id, { present, since_ms }, session_id ?? null)
  return {}
}
