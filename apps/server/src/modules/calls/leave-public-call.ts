import { refuse } from '../../lib/refusal.ts'
import type { EndPublicCall } from '../matchmaking/index.ts'
import { partyOfCurrentCall } from './call-registry.ts'
import { callProcess } from './process.ts'

/** The user accepts an invitation during a public call: that call ends as left, and the next one opens with it. */
export const leavePublicCall: EndPublicCall = async (app, user_id, then) => {
  const party = partyOfCurrentCall(app, user_id)
  if (!party) return false
  const { call, side } = party
  let isPublic = false
  let isFromSearch = false
  await callProcess(app).dispatch(
    call.session_id,
    async (_, stored) => {
      isPublic = stored.call.status !== 'closed' && stored.call.state === 'public'
      if (stored.call.status !== 'closed' && !isPublic) refuse('in_call', { who: 'you' })
      isFromSearch = stored.call[side].from_search
      return { type: 'left', side }
    },
    async (tx) => {
      if (isPublic) await then(tx, { from_search: isFromSearch })
    },
  )
  return isPublic
}
