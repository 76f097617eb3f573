import { limits, type Answer, type Body } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { cutText } from './rules/facts.ts'
import { insertCameraFailure } from './store.ts'

/** Records why a camera or microphone could not be opened. A guest gets no row of a user by it. Refuses too_large. */
export async function logCamera(
  app: App,
  { id: user_id }: Guest | Member,
  { device }: Body<'POST log/camera'>,
): Promise<Answer<'POST log/camera'>> {
  if (Buffer.byteLength(JSON.stringify(device)) > limits.camera_log_bytes) refuse('too_large')
  const { labels = [], kinds = [], error = '' } = device
  await insertCameraFailure(app.db, app.clock.now(), {
    user_id,
    labels: labels.map((label) => cutText(label)),
    kinds: kinds.map((kind) => cutText(kind)),
    error: cutText(error),
  })
  return {}
}
