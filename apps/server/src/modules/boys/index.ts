/**
 * Boys: the list of guys for a girl.
 *
 * Tables         none: presence says who is online, and the calls say who talked with the girl
 * Does not know  how a call or a dialog begins
 * Invariants     no guy is in the list if one of the two may not see the other (BO1) · reading a page costs
 *                the same however many guys are online (BO2)
 */
import { module } from '../../core/module.ts'
import { followGuys, followMember } from './online-guys.ts'
import { boysPage } from './queries.ts'

export const boys = module('boys', {
  endpoints: { 'GET boys': boysPage },
  subscribers: { member_updated: followMember },
  start: followGuys,
})
