import type { Answer, Body, Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { receiveEvidence } from '../complaints/evidence.ts'
import { readNonce } from './frame-nonce.ts'
import { receiveSample } from './receive-sample.ts'

/** Takes the frame that a page was asked for, once. Refuses not_found for every other nonce, user or call. */
export async function receiveFrame(
  app: App,
  viewer: Guest | Member,
  {
    session_id,
    nonce,
  }: Query<'POST /upload/image/{product}'> & Body<'POST /upload/image/{product}'>,
  context: RequestContext,
): Promise<Answer<'POST /upload/image/{product}'>> {
  if (session_id === undefined || nonce === undefined) refuse('not_found')
  const occasion = readNonce(app, nonce, { user_id: viewer.id, session_id }) ?? refuse('not_found')
  const { purpose, number } = occasion
  return purpose === 'complaint'
    ? receiveEvidence(app, viewer, number, context)
    : receiveSample(app, { girl_id: viewer.id, session_id, asked_at_ms: number }, context)
}
