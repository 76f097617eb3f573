import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { happen, withMoney } from './happen.ts'
import { liveCall, sideOf } from './live.ts'

/** Asks the other to go private; a crossed asking accepts. */
export async function askPrivate(
  app: App,
  viewer: Member,
  { session_id }: Input<'SESSION_UP'>,
): Promise<Ack<'SESSION_UP'>> {
  const live = liveCall(app, session_id)
  const side = live && sideOf(live.call, viewer.id)
  if (!live || !side) refuse('not_found')
  const effects = await happen(
    app,
    live,
    withMoney(live, (available_units) => ({ kind: 'asked_private', side, available_units })),
  )
  const asked = effects.find((effect) => effect.kind === 'asked') ?? refuse('not_found')
  return {
    expires_in_ms: Math.max(
      0,
      asked.expires_at.epochMilliseconds - app.clock.now().epochMilliseconds,
    ),
  }
}

export async function answerPrivate(
  app: App,
  viewer: Member,
  { session_id, accept }: Input<'SESSION_UP_REACTION'>,
): Promise<Ack<'SESSION_UP_REACTION'>> {
  const live = liveCall(app, session_id)
  const side = live && sideOf(live.call, viewer.id)
  if (!live || !side) refuse('not_found')
  await happen(
    app,
    live,
    withMoney(live, (available_units) => ({
      kind: 'answered_private',
      side,
      accept,
      available_units,
    })),
  )
  return {}
}
