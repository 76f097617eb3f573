import { ROLES } from '@duet/protocol/kernel/roles.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import { createProcessRuntime } from '../../../platform/process/process-runtime.ts'
import type { ProcessRuntime, ProcessType } from '../../../platform/process/process.ts'
import { isInCall } from '../../presence/index.ts'
import { setting } from '../../settings/index.ts'
import { sendSearchState } from '../availability.ts'
import { offers } from '../enqueue.ts'
import { findSearchSession } from '../search-sessions.ts'
import { getUserId, readSearchPair } from '../views.ts'
import {
  calleeSide,
  decideInvitation,
  type Invitation,
  type InvitationCommand,
  type InvitationEvent,
  type InvitationRules,
} from './invitation-rules.ts'
import { invitationTable } from './invitation-store.ts'
import { enqueueRingEnd, enqueueRingPushes } from './ring-push.ts'

export function invitationRules(app: App): InvitationRules {
  return { ring_ms: setting(app, 'invite_seconds') * 1000 }
}

/** An invitation as the process runtime runs it: `invitation-rules.ts` decides. */
const invitationType: ProcessType<string, Invitation, InvitationEvent, InvitationCommand> = {
  name: 'invitation',
  table: invitationTable,
  idOf: ({ pair_id }) => pair_id,
  isOver: ({ state }) => state !== 'open',
  wakeAt: ({ wake_at }) => wake_at,
  wake_event: { type: 'time_came' },
  recovery_event: { type: 'server_started' },
  decide: (_app, invitation, event, now) => decideInvitation(invitation, event, now),
  commands: {
    ring: {
      async store(tx, { state }) {
        await leaveOffer(tx, state)
        await enqueueRingPushes(tx, state)
      },
      async push(app, invitation) {
        for (const side of ROLES)
          app.emit(
            getUserId(invitation, side),
            'search_pair',
            await readSearchPair(app, app.db, toCard(invitation), side),
          )
      },
    },
    open_call: {
      async store(tx, draft, { callee_from_search }) {
        // The subscribers end the other offers of both: this invitation must be over by then.
        await draft.write(tx)
        await enqueueRingEnd(tx, draft.state)
        const { pair_id, guy_id, girl_id, free_seconds } = draft.state
        const callee = calleeSide(draft.state)
        await tx.publish('pair_accepted', {
          pair_id,
          kind: 'direct',
          guy_id,
          girl_id,
          guy_from_search: callee === 'guy' && callee_from_search,
          girl_from_search: callee === 'girl' && callee_from_search,
          free_start: free_seconds > 0,
        })
      },
      async push(app, invitation) {
        for (const side of ROLES) await sendSearchState(app, getUserId(invitation, side), 'in_call')
      },
    },
    record_missed: {
      async store(tx, draft) {
        await draft.write(tx)
        const { pair_id, guy_id, girl_id, caller } = draft.state
        await tx.publish('call_missed', { pair_id, guy_id, girl_id, caller })
      },
    },
    close: {
      store: (tx, { state }) => enqueueRingEnd(tx, state),
      push(app, { pair_id, ...pair }, { reason }) {
        for (const side of ROLES)
          app.emit(getUserId(pair, side), 'search_pair_closed', { pair_id, reason })
      },
    },
    refuse: {},
  },
  remember(app, { pair_id, guy_id, girl_id, state }) {
    if (state !== 'open') return
    for (const user_id of [guy_id, girl_id]) openRings(app).set(user_id, pair_id)
  },
  forget(app, { pair_id, guy_id, girl_id }) {
    for (const user_id of [guy_id, girl_id])
      if (openRings(app).get(user_id) === pair_id) openRings(app).delete(user_id)
  },
  async reconciled(app, { state, guy_id, girl_id }) {
    if (state === 'accepted')
      await app.transact((tx) => tx.publish('pair_accepted_found', { guy_id, girl_id }))
  },
}

/** With the ring the caller's offer ends. The row of an offer shows a call of both before memory does: then nothing rings. */
async function leaveOffer(tx: Tx, { caller, ...pair }: Invitation): Promise<void> {
  const callerId = getUserId(pair, caller)
  const offered = findSearchSession(tx.app, callerId)?.pair
  if (offered)
    await offers(tx.app).applyIn(tx, offered.pair_id, async (_, { offer }) => {
      if (offer.state === 'matched') refuse('in_call', { who: 'you' })
      return { type: 'stopped', side: caller }
    })
  if (isInCall(tx.app, callerId)) refuse('in_call', { who: 'you' })
}

/** The fields of an invitation that both sides are shown. */
export function toCard(invitation: Invitation) {
  return { ...invitation, kind: 'direct' as const }
}

const openRings = perApp(
  'matchmaking: rings of users',
  'which open invitation a user has; read from the invitations',
  () => new Map<UserId, string>(),
)

export const invitations = perApp(
  'matchmaking: invitations',
  'open invitations; their rows are cancelled at the next start',
  (app: App): ProcessRuntime<string, Invitation, InvitationEvent, InvitationCommand> =>
    createProcessRuntime(app, invitationType),
)

/** The open invitation of a user, as caller or as callee. */
export function findInvitation(app: App, user_id: UserId): Invitation | undefined {
  const pair_id = openRings(app).get(user_id)
  return pair_id === undefined ? undefined : invitations(app).get(pair_id)
}

/** The invitation with which this user calls another user. */
export function findOwnInvitation(app: App, user_id: UserId): Invitation | undefined {
  const invitation = findInvitation(app, user_id)
  return invitation && getUserId(invitation, invitation.caller) === user_id ? invitation : undefined
}
