import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { offers } from '../enqueue.ts'
import { acceptInvitation, rejectInvitation } from './answer-invitation.ts'
import { invitations } from './invitation-process.ts'
import { invitationById } from './invitation-store.ts'
import { acceptOffer, rejectOffer } from '../offers/answer-offer.ts'
import { runExclusive } from '../search-sessions.ts'

/** Accepts an offer of the search, or the invitation of a user who calls. */
export async function acceptPair(
  app: App,
  viewer: Guest | Member,
  input: Input<'SEARCH_PAIR_ACCEPT'>,
): Promise<Ack<'SEARCH_PAIR_ACCEPT'>> {
  if (viewer.kind === 'guest') refuse('registered_only')
  const { pair_id } = input
  if (!(await isInvitation(app, pair_id))) return acceptOffer(app, viewer, input)
  return runExclusive(app, viewer.id, () => acceptInvitation(app, viewer, pair_id))
}

/** Declines an offer or an invitation; the caller withdraws the invitation. */
export async function rejectPair(
  app: App,
  viewer: Guest | Member,
  input: Input<'SEARCH_PAIR_REJECT'>,
): Promise<Ack<'SEARCH_PAIR_REJECT'>> {
  const { pair_id } = input
  if (viewer.kind === 'guest' || !(await isInvitation(app, pair_id)))
    return rejectOffer(app, viewer, input)
  return runExclusive(app, viewer.id, () => rejectInvitation(app, viewer, pair_id))
}

/** Open pairs are in memory. Only an answer that comes late, or a wrong id, reads rows. */
async function isInvitation(app: App, pair_id: string): Promise<boolean> {
  if (offers(app).get(pair_id)) return false
  const known = invitations(app).get(pair_id) ?? (await invitationById(app.db, pair_id))
  return known !== undefined
}
