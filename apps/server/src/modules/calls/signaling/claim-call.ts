import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { getParty, registeredCall, type PartyInCall } from '../call-registry.ts'
import { callProcess } from '../process.ts'
import { callById, findOpenCall } from '../queries.ts'
import { findSide, type Call, type Side } from '../rules/call.ts'

/*
 * While one server process replaces another, pages reach the new process before the former process has
 * returned its calls. The next scan would claim the calls within ten seconds, which is the grace time of a
 * call. So a page that returns claims its call at once.
 */

/**
 * The user's open call, if this server process does not know the call and another process may own it. If
 * its owner is not alive, the call is claimed. Otherwise the page learns of the call and retries joining
 * until the owner has returned it.
 */
export async function partyElsewhere(
  app: App,
  userId: UserId,
): Promise<{ call: Call; side: Side } | undefined> {
  if (!callProcess(app).mayBeElsewhere) return undefined
  const stored = await findOpenCall(app.db, userId)
  if (!stored) return undefined
  const { session_id } = stored.call
  await callProcess(app).claim(session_id)
  const call = registeredCall(app, session_id)?.stored.call ?? stored.call
  const side = findSide(call, userId)
  return side && { call, side }
}

/**
 * The user as a party to this open call. If its owner is not alive, the call is claimed. While another
 * server process owns the call, refuses with `session_invalid`. Then the page opens its signaling socket
 * again and joins again.
 */
export async function claimedParty(
  app: App,
  userId: UserId,
  sessionId: number,
): Promise<PartyInCall> {
  const runtime = callProcess(app)
  if (registeredCall(app, sessionId) || !runtime.mayBeElsewhere)
    return getParty(app, userId, sessionId)
  const stored = await callById(app.db, sessionId)
  if (!stored || stored.call.status === 'closed' || !findSide(stored.call, userId))
    refuse('not_found')
  await runtime.claim(sessionId)
  if (!registeredCall(app, sessionId)) refuse('session_invalid')
  return getParty(app, userId, sessionId)
}
