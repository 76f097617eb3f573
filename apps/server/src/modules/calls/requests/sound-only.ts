import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { getParty, registeredCall } from '../call-registry.ts'
import { dispatchEvent } from '../process.ts'
import { getSoundOnly } from '../rules/sound-only.ts'

/** Agrees, or no longer agrees, to go on while the girl's camera is off. A repeated answer changes nothing. */
export async function goOnWithSound(
  app: App,
  viewer: Member,
  { session_id, agree }: Input<'SOUND_ONLY'>,
): Promise<Ack<'SOUND_ONLY'>> {
  const { side } = getParty(app, viewer.id, session_id)
  await dispatchEvent(app, session_id, { type: 'sound_only_answered', side, agree })
  const call = registeredCall(app, session_id)?.stored.call ?? refuse('not_found')
  return getSoundOnly(call, side)
}
