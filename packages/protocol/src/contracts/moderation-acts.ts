import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { limits } from '../kernel/limits.ts'
import { boundedText, Id, QueryId, Time, UserId, Uuid } from '../kernel/primitives.ts'
import { removableTexts, ruleNames } from '../kernel/rule-names.ts'
import { BanReason, StandingSanction } from '../kernel/sanctions.ts'

/** Acts of staff about a person that come from no queue, and how any act is taken back. */

const desk = { who: 'moderator', credential: 'staff' } as const
const Comment = boundedText(limits.comment_characters, 1)
const Act = z.object({ user_id: UserId, reason: z.enum(ruleNames), comment: Comment })

export const endpoints = {
  'POST v2/manager/ban/impose': endpoint('POST', 'v2/manager/ban/impose', {
    summary:
      'Bans a user until a time, or permanently (null); a moderator for at most 7 days. Staff may not ban themselves. A ban that a present one covers is refused: a second one is longer or has another reason.',
    ...desk,
    idempotent: true,
    body: z.object({
      user_id: UserId,
      reason: BanReason,
      /** Needed where `hours` are not given. */
      until: Time.nullable().optional(),
      /** The length, counted from when the server takes it. */
      hours: z.int().positive().max(limits.ban_hours).optional(),
      comment: Comment,
      /** An uploaded screenshot, which the user sees with the decision. */
      evidence: z.array(Uuid).max(1).optional(),
      complaint_id: Id.optional(),
      /** The call of this user in which the rule was broken. */
      session_id: Id.optional(),
    }),
    data: z.object({ statement_id: Id }),
    refuses: ['not_found', 'role_forbidden', 'key_reused', 'bulk_stopped', 'banned_already'],
  }),
  'POST v2/manager/penalty/screenshot': endpoint('POST', 'v2/manager/penalty/screenshot', {
    summary:
      'Stores the screenshot of a penalty or a ban, encrypted, for a later POST v2/manager/penalty/impose or ban/impose. It is deleted after a day without one.',
    ...desk,
    takes: 'multipart',
    upload: 'pictures',
    files: ['image'],
    data: z.object({ screenshot: Uuid }),
    refuses: ['too_large', 'wrong_type', 'too_many'],
  }),
  'POST v2/manager/warning/impose': endpoint('POST', 'v2/manager/warning/impose', {
    summary: 'Warns a user, who reads the comment at once or at the next visit.',
    ...desk,
    idempotent: true,
    body: Act,
    data: z.object({ statement_id: Id }),
    refuses: ['not_found', 'role_forbidden', 'key_reused', 'bulk_stopped'],
  }),
  'POST v2/manager/text/remove': endpoint('POST', 'v2/manager/text/remove', {
    summary:
      'Removes the nickname or the text about oneself of a user, who reads why. A removed nickname becomes a neutral one.',
    ...desk,
    idempotent: true,
    body: Act.extend({ field: z.enum(removableTexts) }),
    data: z.object({ statement_id: Id }),
    refuses: ['not_found', 'role_forbidden', 'key_reused', 'bulk_stopped'],
  }),
  'POST v2/manager/messages/{id}/remove': endpoint('POST', 'v2/manager/messages/{id}/remove', {
    summary:
      'Removes a text or picture of a dialog for both users. Its author reads why, and staff still read the text.',
    ...desk,
    query: z.object({ id: QueryId }),
    body: Act.omit({ user_id: true }),
    data: z.object({ statement_id: Id }),
    refuses: ['not_found', 'role_forbidden', 'decided', 'bulk_stopped'],
  }),
  'POST v2/manager/child-cases': endpoint('POST', 'v2/manager/child-cases', {
    summary:
      'Opens a case about a minor without a complaint: the call of the user ends, the user is suspended until a manager decides, and what there is of the user is sealed. While such a case is open, it is the answer. It counts as a ban.',
    ...desk,
    rate: '60/hour',
    body: z.object({ user_id: UserId, note: Comment }),
    data: z.object({ complaint_id: Id, is_new: z.boolean() }),
    refuses: ['not_found', 'role_forbidden', 'bulk_stopped'],
  }),
  'POST v2/manager/gifts/forbid': endpoint('POST', 'v2/manager/gifts/forbid', {
    summary:
      'Forbids a girl to accept gifts, who reads why. It ends when the act is taken back. Refuses not_found where gifts are forbidden already.',
    ...desk,
    idempotent: true,
    body: Act,
    data: z.object({ statement_id: Id }),
    refuses: ['not_found', 'role_forbidden', 'key_reused', 'bulk_stopped'],
  }),
  'POST v2/manager/statements/{id}/undo': endpoint('POST', 'v2/manager/statements/{id}/undo', {
    summary:
      'Takes an act back: a ban ends, the coins of a penalty return, a picture or text comes back if it still can. A suspension ends by the decision about its complaint. A repeat changes nothing.',
    who: 'manager',
    credential: 'staff',
    query: z.object({ id: QueryId }),
    body: z.object({ reason: Comment }),
    /** `restored`: of a removal, whether the picture or text is back. `standing`: of a ban, the other one that stays. */
    data: z.object({
      restored: z.boolean().nullable(),
      standing: StandingSanction.optional(),
    }),
    refuses: ['not_found', 'role_forbidden', 'bulk_stopped'],
  }),
}
