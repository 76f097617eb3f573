import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import {
  Amount,
  Count,
  Id,
  nothing,
  PositiveAmount,
  QueryId,
  boundedText,
  Time,
  Url,
  UserId,
  Uuid,
} from '../kernel/primitives.ts'
import { Appeal, ModerationInfo, PhotoVerdict, SanctionReason } from '../kernel/sanctions.ts'
import { penaltyPlaces, ruleNames, statementKinds } from '../kernel/rule-names.ts'
import { endpoints as actEndpoints } from './moderation-acts.ts'
import { endpoints as appealEndpoints } from './appeals-desk.ts'
import { endpoints as deskEndpoints } from './moderation-desk.ts'
import { endpoints as findingEndpoints } from './findings-desk.ts'
import { endpoints as maskedEndpoints } from './masked-desk.ts'
import { endpoints as sealedEndpoints } from './moderation-sealed.ts'
import { wallEndpoints } from './wall.ts'

export const complaintReasons = [
  'child',
  'fraud',
  'gift_begging',
  'nudity',
  'dislike',
  'inappropriate',
  'spam',
  'threats',
  'impersonation',
  'recording',
  'intimate_image',
] as const
export const ComplaintReason = z.enum(complaintReasons)
export type ComplaintReason = z.output<typeof ComplaintReason>

export const RuleName = z.enum(ruleNames)
export type RuleName = z.output<typeof RuleName>
export const PenaltyPlace = z.enum(penaltyPlaces)
export type PenaltyPlace = z.output<typeof PenaltyPlace>

/**
 * The pictures that a decision can rest on. `screenshot`: of a penalty or a ban. `picture`: an upload of the user. `frame`: a sampled
 * frame of the own camera. `camera`: the frame that the own page sent because of a complaint.
 */
export const EvidenceKind = z.enum(['screenshot', 'picture', 'frame', 'camera'])
export type EvidenceKind = z.output<typeof EvidenceKind>

/** A statement of reasons for the user it concerns: the facts, the rule, the evidence, and how to appeal. */
export const Statement = z.object({
  id: Id,
  kind: z.enum(statementKinds),
  at: Time,
  reason: z.union([SanctionReason, RuleName, PhotoVerdict]),
  /** The rule that was broken. Absent where the reason names none. */
  rule: RuleName.optional(),
  comment: z.string(),
  place: PenaltyPlace.optional(),
  /** When the call began that the decision is about. */
  call_at: Time.optional(),
  amount: Amount.optional(),
  until: Time.nullable().optional(),
  /** Each is at GET statements/{id}/evidence/{kind}. A decision about a minor shows none, and no texts, place or time. */
  evidence: z.array(EvidenceKind),
  /** The own texts that the decision is about. */
  texts: z.array(z.object({ text: z.string(), place: PenaltyPlace, at: Time.optional() })),
  automatic: z.boolean(),
  can_appeal: z.boolean(),
  appeal: Appeal.optional(),
  lifted_at: Time.optional(),
  /** Of a removal that was taken back: the picture or text is there again. */
  restored: z.boolean().optional(),
})
export type Statement = z.output<typeof Statement>

const PenaltyFacts = z.object({
  id: Id,
  statement_id: Id,
  reason: RuleName,
  place: PenaltyPlace,
  comment: z.string(),
  screenshot: Url.nullable(),
  amount: Amount,
})
export const Penalty = PenaltyFacts.extend({
  read: z.boolean(),
  create_time: Time,
  refunded_at: Time.optional(),
})
export type Penalty = z.output<typeof Penalty>

const Comment = boundedText(limits.comment_characters)

export const actions = {
  TO_COMPLAIN: action('TO_COMPLAIN', {
    method: 'complain',
    summary:
      'Complains of a user, once a call or message, or once a day without both; a repetition gets the same complaint, and another complaint is refused. A picture with the reason intimate_image is treated as by the form reports/intimate-image; each further picture gets a report of its own. In a call the server asks both pages for a frame. Works after blocking too.',
    who: 'guest',
    // Each of several pictures is sent again with a captcha.
    rate: '20/hour',
    data: z.object({
      reason: ComplaintReason,
      user_id: UserId,
      comment: Comment,
      session_id: Id.optional(),
      message_id: Id.optional(),
      media_id: Uuid.optional(),
      /** Accepted for old clients and not used: a frame counts only with the nonce of frame_request. */
      complainer_photo: Uuid.optional(),
      defendant_photo: Uuid.optional(),
    }),
    ack: z.object({
      complaint_id: Id,
      /** Of an intimate picture. The secret opens the state of the report, as that of the public form does. */
      report: z.object({ receipt: z.string(), answer_until: Time, secret: z.string() }).optional(),
    }),
    refuses: ['not_found', 'key_reused', 'captcha_required'],
  }),
  PANIC: action('PANIC', {
    method: 'panic',
    summary:
      'Ends the call, blocks the partner, seals frames, text and timeline, and opens a complaint. Up to ten minutes after the end of the call.',
    who: 'member',
    rate: '30/hour',
    data: z.object({ session_id: Id }),
    ack: z.object({ complaint_id: Id }),
    refuses: ['not_found'],
  }),
}

export const events = {
  frame_request: event('frame_request', {
    summary:
      'A frame is asked of this page, to be uploaded with the nonce: the own camera as `image`, and with side both the picture of the partner as `image_original`. Without a camera the picture of the partner comes alone.',
    payload: z.object({
      session_id: Id,
      nonce: z.string(),
      reason: z.enum(['sample', 'complaint', 'panic']),
      side: z.enum(['own', 'both']),
    }),
  }),
  call_warning: event('call_warning', {
    summary:
      'A program saw a broken rule in a frame of the own camera, or a moderator warns. If it goes on, the call ends.',
    payload: z.object({ session_id: Id, statement_id: Id, rule: RuleName, automatic: z.boolean() }),
  }),
  penalty: event('penalty', {
    summary: 'A penalty was imposed on the girl.',
    durable: true,
    payload: PenaltyFacts.extend({
      total_penalties: Count,
      refundable: z.boolean().optional(),
      /** Of a refundable penalty: until when she may earn what returns it. */
      refundable_until: Time.optional(),
    }),
  }),
  statement: event('statement', {
    summary:
      'The user was warned, or a picture or text of the user was removed: why, and how to appeal.',
    durable: true,
    payload: Statement,
  }),
  banned: event('banned', {
    summary: 'The user is banned or suspended: the reason and the end.',
    durable: true,
    payload: z.object({ moderation_info: ModerationInfo }),
  }),
  unbanned: event('unbanned', { summary: 'The ban is over.', durable: true, payload: nothing }),
}

const ownEndpoints = {
  'GET penalties': endpoint('GET', 'penalties', {
    summary: 'The girl’s penalties, newest first.',
    who: 'girl',
    banned: true,
    query: PageQuery,
    data: listAnswer(Penalty),
    refuses: [],
  }),
  'POST v2/penalty/mark-all-as-read': endpoint('POST', 'v2/penalty/mark-all-as-read', {
    summary: 'Marks all penalties read.',
    who: 'girl',
    banned: true,
    data: nothing,
    refuses: [],
  }),
  'GET statements': endpoint('GET', 'statements', {
    summary: 'Every statement of reasons about the user, newest first.',
    who: 'guest',
    banned: true,
    query: PageQuery,
    data: listAnswer(Statement),
    refuses: [],
  }),
  'GET statements/{id}': endpoint('GET', 'statements/{id}', {
    summary: 'One statement of reasons about the user.',
    who: 'guest',
    banned: true,
    query: z.object({ id: QueryId }),
    data: Statement,
    refuses: ['not_found'],
  }),
  'GET statements/{id}/evidence/{kind}': endpoint('GET', 'statements/{id}/evidence/{kind}', {
    summary: 'A picture that a decision about the user rests on.',
    who: 'guest',
    banned: true,
    query: z.object({ id: QueryId, kind: EvidenceKind }),
    data: z.object({}),
    gives: 'raw',
    refuses: ['not_found'],
  }),
  'POST statements/{id}/read': endpoint('POST', 'statements/{id}/read', {
    summary: 'Marks a statement about the user read. Answers the next unread one.',
    who: 'guest',
    banned: true,
    query: z.object({ id: QueryId }),
    data: z.object({ next: Id.nullable() }),
    refuses: ['not_found'],
  }),
  'GET appeals': endpoint('GET', 'appeals', {
    summary: 'The own appeals, newest first.',
    who: 'guest',
    banned: true,
    query: PageQuery,
    data: listAnswer(Appeal),
    refuses: [],
  }),
  'POST appeals': endpoint('POST', 'appeals', {
    summary:
      'Appeals against a ban, a penalty or a removal, once; another member of staff than the one who imposed it decides.',
    who: 'guest',
    banned: true,
    rate: '60/day',
    body: z.object({ statement_id: Id, text: boundedText(limits.comment_characters, 1) }),
    data: Appeal,
    refuses: ['not_found'],
  }),
}

const staffEndpoints = {
  'POST v2/manager/penalty/impose': endpoint('POST', 'v2/manager/penalty/impose', {
    summary: 'Takes coins from a girl for breaking a rule; a moderator at most 5000.',
    who: 'moderator',
    credential: 'staff',
    idempotent: true,
    body: z.object({
      user_id: UserId,
      reason: RuleName,
      place: PenaltyPlace,
      amount: PositiveAmount,
      comment: boundedText(limits.comment_characters, 1),
      screenshot: Uuid.optional(),
      complaint_id: Id.optional(),
      /** Her call in which the rule was broken. */
      session_id: Id.optional(),
    }),
    data: z.object({ statement_id: Id }),
    refuses: ['not_found', 'role_forbidden', 'key_reused', 'bulk_stopped', 'decided'],
  }),
}

export const endpoints = {
  ...ownEndpoints,
  ...staffEndpoints,
  ...actEndpoints,
  ...deskEndpoints,
  ...appealEndpoints,
  ...wallEndpoints,
  ...maskedEndpoints,
  ...findingEndpoints,
  ...sealedEndpoints,
}
