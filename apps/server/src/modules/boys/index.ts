/**
 * Boys: the list of guys for a girl.
 *
 * Tables         talks: the last talk of two users; presence says who is online
 * Does not know  how a call or a dialog begins
 * Invariants     no guy is in the list if one of the two may not see the other (BO1) · reading a page costs
 *                the same however many guys are online, and however many calls the girl had (BO2)
 */
import { module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { followGuys, followMember } from './online-guys.ts'
import { boysPage, TALKED_DAYS } from './queries.ts'
import { recordTalk } from './record-talk.ts'

export const boys = module('boys', {
  endpoints: { 'GET boys': boysPage },
  subscribers: { call_closed: recordTalk, member_updated: followMember },
  retention: [deleteRows('talks', 'last_at', () => TALKED_DAYS)],
  personalData: {
    tables: [
      personalTable('talks', {
        users: ['guy_id', 'girl_id'],
        erasure: 'deleted',
        exported: { not: 'a copy of the calls' },
      }),
    ],
  },
  start: followGuys,
})
