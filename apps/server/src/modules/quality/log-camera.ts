import type { Answer, Body } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { cutText } from './rules/facts.ts'
import { insertCameraFailure } from './store.ts'

/** Records why a camera or microphone could not be opened. A guest gets no row of a user by it. */
export async function logCamera(
  app: App,
  { id: user_id }: Guest | Member,
  { device: { labels = [], kinds = [], error = '' } }: Body<'POST log/camera'>,
): Promise<Answer<'POST log/camera'>> {
  await insertCameraFailure(app.db, app.clock.now(), {
    user_id,
    labels: labels.map((label) => cutText(label)),
    kinds: kinds.map((kind) => cutText(kind)),
    error: cutText(error),
  })
  return {}
}
