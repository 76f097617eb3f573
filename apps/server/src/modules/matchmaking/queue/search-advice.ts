import type { Answer } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { findSearchSession, isAvailable, matchmakingState } from '../search-sessions.ts'

/** Earlier, most users find a partner without any change. */
const ADVICE_AFTER_SECONDS = 8

/** The changes by which the viewer would wait less. */
export async function searchAdvice(app: App, viewer: Member): Promise<Answer<'GET search/advice'>> {
  const search = findSearchSession(app, viewer.id)
  const now = app.clock.now()
  if (!search || !isAvailable(search)) return { advice: [] }
  const waitedSeconds = now.since(search.waiting_since).total('seconds')
  if (waitedSeconds < ADVICE_AFTER_SECONDS) return { advice: [] }
  const { queue } = matchmakingState(app)
  return { advice: await queue.advise(viewer.id, now.epochMilliseconds) }
}
