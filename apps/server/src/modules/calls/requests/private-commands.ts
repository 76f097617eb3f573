import type { Ack, Input } from '@duet/protocol'
import { msBetween } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { getParty } from '../call-registry.ts'
import { dispatchEvent, withAvailableUnits } from '../process.ts'

/** Requests a private call. If the other party has requested it already, the request counts as acceptance. */
export async function askPrivate(
  app: App,
  viewer: Member,
  { session_id }: Input<'SESSION_UP'>,
): Promise<Ack<'SESSION_UP'>> {
  const { side } = getParty(app, viewer.id, session_id)
  const commands = await dispatchEvent(
    app,
    session_id,
    withAvailableUnits((availableUnits) => ({
      type: 'private_requested',
      side,
      available_units: availableUnits,
    })),
  )
  const acknowledged =
    commands?.find((command) => command.type === 'acknowledge_request') ?? refuse('not_found')
  return { expires_in_ms: Math.max(0, msBetween(app.clock.now(), acknowledged.expires_at)) }
}

export async function answerPrivate(
  app: App,
  viewer: Member,
  { session_id, accept }: Input<'SESSION_UP_REACTION'>,
): Promise<Ack<'SESSION_UP_REACTION'>> {
  const { side } = getParty(app, viewer.id, session_id)
  const commands = await dispatchEvent(
    app,
    session_id,
    withAvailableUnits((availableUnits) => ({
      type: 'private_answered',
      side,
      accept,
      available_units: availableUnits,
    })),
  )
  // The call closed after the check above: the rules refuse without a transaction.
  const refusal = commands?.find((command) => command.type === 'refuse')
  if (refusal) refuse(refusal.name)
  return {}
}
