import type { Answer, Body } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { productDay } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { callOutline } from '../calls/index.ts'
import { findSession } from './queries.ts'
import { isBadCall } from './rules/score.ts'
import { takeQuestion } from './store.ts'

/** Whether the page may ask the user about a call that was bad: once a day, about one call. */
export async function askAboutCall(
  app: App,
  viewer: Guest | Member,
  { session_id }: Body<'POST quality/question'>,
): Promise<Answer<'POST quality/question'>> {
  const key = { session_id, user_id: viewer.id }
  const call = await callOutline(app.db, session_id)
  if (!call || ![call.guy_id, call.girl_id].includes(viewer.id)) refuse('not_found')
  const session = await findSession(app.db, key)
  if (!session || session.opinion !== null || !isBadCall(session)) return { ask: false }
  const asked = await app.transact((tx) => takeQuestion(tx, key, productDay(tx.now)))
  return { ask: asked === session_id }
}
