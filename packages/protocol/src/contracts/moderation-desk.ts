import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import {
  boundedText,
  Count,
  Id,
  nothing,
  PositiveAmount,
  QueryId,
  Time,
  Url,
  UserId,
} from '../kernel/primitives.ts'
import { penaltyPlaces, statementKinds } from '../kernel/rule-names.ts'
import { Appeal, AppealState, StandingSanction } from '../kernel/sanctions.ts'
import { NamedContent, TimelineEntry } from './complaint-timeline.ts'
import { Claim, DeskPerson, DeskQueue, DeskStatement } from './staff-desk.ts'

/** The desk of moderators: complaints with their evidence and decisions. */

const desk = { who: 'moderator', credential: 'staff' } as const
const ById = z.object({ id: QueryId })
const Comment = boundedText(limits.comment_characters, 1)

export const complaintDecisions = ['no_violation', 'warning', 'penalty', 'ban'] as const
const evidenceKinds = ['complainer', 'accused', 'seen', 'frame', 'picture'] as const

export const DeskComplaint = z.object({
  id: Id,
  reason: z.string(),
  is_panic: z.boolean(),
  /** It is about a minor or of the panic key. */
  is_serious: z.boolean(),
  /** Its pictures are veiled until a viewer shows them. */
  is_veiled: z.boolean(),
  /** It was passed on, or the accused is suspended: moderators see it and do not decide it. */
  for_managers: z.boolean(),
  accused: DeskPerson,
  /** Null: staff opened the case. */
  complainer: DeskPerson.nullable(),
  opened_by: z.string().nullable(),
  portraits: z.object({ accused: Url.nullable(), complainer: Url.nullable() }),
  /** The different users whose complaints about the accused wait; `paying`: those who have paid or are verified. */
  reporters: Count,
  paying: Count,
  comment: z.string(),
  session_id: Id.nullable(),
  create_time: Time,
  decision: z.enum(complaintDecisions).nullable(),
  decided_at: Time.nullable(),
  decided_by: z.string().nullable(),
  /** A moderator left the decision to a manager. */
  passed: z.object({ by: z.string(), note: z.string(), at: Time }).nullable(),
  claim: Claim.nullable(),
})
export type DeskComplaint = z.output<typeof DeskComplaint>

/** How the complaints of a person, or about one, were decided. */
const Tally = z.object({ waiting: Count, upheld: Count, rejected: Count })
export const ComplaintCase = z.object({
  complaint: DeskComplaint,
  /** The hash is of the file before its encryption. */
  evidence: z.array(
    z.object({
      kind: z.enum([...evidenceKinds, 'record']),
      /** The frame or upload that the file is a copy of; empty: none. */
      source: z.string(),
      user_id: UserId,
      sha256: z.string(),
      sealed: z.boolean(),
      at: Time,
    }),
  ),
  named: NamedContent.nullable(),
  call: z
    .object({
      session_id: Id,
      kind: z.string(),
      opened_at: Time,
      connected_at: Time.nullable(),
      closed_at: Time.nullable(),
      reason: z.string().nullable(),
      is_private: z.boolean(),
      paid_seconds: z.int().nonnegative(),
      gifts: Count,
      /** How well each of them received the other, from 1 to 5. */
      accused_score: z.number().nullable(),
      complainer_score: z.number().nullable(),
    })
    .nullable(),
  /** Her latest sampled frames of the call, the oldest first. `is_flagged`: an automatic check acted on it. */
  frames: z.array(
    z.object({
      id: z.uuid(),
      at: Time,
      nudity: z.number().nullable(),
      is_flagged: z.boolean(),
    }),
  ),
  /** Everything of the case in the order of time, with the latest messages of the two. */
  timeline: z.array(TimelineEntry),
  /** The statements of the accused, the newest first. */
  statements: z.array(DeskStatement),
  earlier: z.array(DeskComplaint.extend({ is_taken_back: z.boolean() })),
  /** The figures are of the last 90 days. */
  accused_card: z.object({
    age: z.int().nullable(),
    since: Time.nullable(),
    avatar: Url.nullable(),
    sessions: Count,
    complaints: Count,
    /** Without those that were given back. */
    penalties: Count,
    /** Bans, penalties, warnings and ended calls by staff, without those that were taken back. */
    sanctions: Count,
  }),
  about_accused: Tally,
  by_complainer: Tally.nullable(),
})
export type ComplaintCase = z.output<typeof ComplaintCase>

export const DeskAppeal = Appeal.extend({
  user: DeskPerson,
  statement: DeskStatement.extend({ imposed_by: z.string() }),
  /** The complaint about which the act was decided; its evidence is kept while the appeal waits. */
  complaint_id: Id.nullable(),
  /** The viewer imposed the act, and may not decide about the appeal. */
  is_own_act: z.boolean(),
  claim: Claim.nullable(),
})
export type DeskAppeal = z.output<typeof DeskAppeal>

/** A statement as staff see it: a ban, suspension, penalty, warning or removal. */
export const StaffStatement = z.object({
  id: Id,
  user: DeskPerson,
  kind: z.enum(statementKinds),
  reason: z.string(),
  comment: z.string(),
  at: Time,
  until: Time.nullable(),
  automatic: z.boolean(),
  imposed_by: z.string(),
  /** When the statement ended; `lifted_by`: the person who took the statement back. */
  ended_at: Time.nullable(),
  lifted_by: z.string().nullable(),
  /** Of a penalty, in coins; `paid`: what was taken so far. */
  amount: z.string().nullable(),
  paid: z.string().nullable(),
  place: z.enum(penaltyPlaces).nullable(),
  /** A penalty that still comes back: when she earns more coins than these until then, without another penalty. */
  refund: z.object({ until: Time, coins: z.string(), earned: z.string() }).nullable(),
  appeal: AppealState.nullable(),
})
export type StaffStatement = z.output<typeof StaffStatement>

const appealEndpoints = {
  'GET v2/manager/appeals': endpoint('GET', 'v2/manager/appeals', {
    summary: 'Appeals that wait, the longest wait first; or the latest decided ones.',
    who: 'manager',
    credential: 'staff',
    query: DeskQueue,
    data: listAnswer(DeskAppeal),
    refuses: [],
  }),
  'POST v2/manager/appeals/{id}/decide': endpoint('POST', 'v2/manager/appeals/{id}/decide', {
    summary:
      'Decides an appeal once; the member of staff who imposed the act may not. An upheld appeal takes the act back: money, status and standing are as before.',
    who: 'manager',
    credential: 'staff',
    query: ById,
    body: z.object({ upheld: z.boolean(), answer: Comment }),
    /** `standing`: of an upheld ban, the other ban under which the user stays. */
    data: Appeal.extend({ standing: StandingSanction.optional() }),
    refuses: ['not_found', 'role_forbidden', 'claimed', 'decided', 'bulk_stopped'],
  }),
}

export const endpoints = {
  ...appealEndpoints,
  'GET v2/manager/statements': endpoint('GET', 'v2/manager/statements', {
    summary: 'Bans, suspensions, penalties and warnings, the newest first.',
    ...desk,
    query: PageQuery.omit({ page: true }).extend({
      before: QueryId.optional(),
      user_id: QueryId.optional(),
      kind: z.enum(statementKinds).optional(),
    }),
    data: z.object({ items: z.array(StaffStatement), next: z.boolean() }),
    refuses: [],
  }),
  'GET v2/manager/complaints': endpoint('GET', 'v2/manager/complaints', {
    summary:
      'The queue of complaints: about minors and of the panic key first, then those of reliable reporters, then the oldest. `mine`: those that the viewer has claimed.',
    ...desk,
    query: DeskQueue.extend({ state: z.enum(['waiting', 'mine', 'decided']).default('waiting') }),
    data: listAnswer(DeskComplaint),
    refuses: [],
  }),
  'GET v2/manager/complaints/{id}': endpoint('GET', 'v2/manager/complaints/{id}', {
    summary: 'A complaint with its evidence. The look is recorded before anything is read.',
    ...desk,
    query: ById,
    data: ComplaintCase,
    refuses: ['not_found'],
  }),
  'GET v2/manager/complaints/{id}/evidence/{kind}': endpoint(
    'GET',
    'v2/manager/complaints/{id}/evidence/{kind}',
    {
      summary:
        'A picture of the evidence, with the name of its viewer on it; the look is recorded.',
      ...desk,
      query: ById.extend({
        kind: z.enum(evidenceKinds),
        source: z.string().max(36).default(''),
      }),
      data: z.object({}),
      gives: 'raw',
      refuses: ['not_found'],
    },
  ),
  'GET v2/manager/complaints/{id}/frames/{frame}': endpoint(
    'GET',
    'v2/manager/complaints/{id}/frames/{frame}',
    {
      summary:
        'A sampled frame of the call that the complaint is about, with the name of its viewer on it; the look is recorded.',
      ...desk,
      query: ById.extend({ frame: z.uuid() }),
      data: z.object({}),
      gives: 'raw',
      refuses: ['not_found'],
    },
  ),
  'POST v2/manager/complaints/{id}/pass': endpoint('POST', 'v2/manager/complaints/{id}/pass', {
    summary:
      'Leaves a complaint to managers, with a note for the one who decides; moderators do not list it any more.',
    ...desk,
    query: ById,
    body: z.object({ note: Comment }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden', 'claimed', 'decided', 'bulk_stopped'],
  }),
  'POST v2/manager/complaints/{id}/raise': endpoint('POST', 'v2/manager/complaints/{id}/raise', {
    summary:
      'Makes a complaint one about a minor: the call ends, the evidence is sealed, and the accused is suspended until a manager decides if the two had contact. It counts as a ban.',
    ...desk,
    rate: '60/hour',
    query: ById,
    body: z.object({ note: Comment }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden', 'claimed', 'decided', 'bulk_stopped'],
  }),
  'POST v2/manager/complaints/{id}/decide': endpoint('POST', 'v2/manager/complaints/{id}/decide', {
    summary:
      'Decides a complaint once. The accused reads the comment of a warning or a ban; the reporter learns the outcome. A moderator bans for at most 7 days and takes at most 5000 coins.',
    ...desk,
    query: ById,
    body: z.object({
      decision: z.enum(complaintDecisions),
      /** The broken rule of a warning, or the reason of a ban. */
      reason: z.string().max(limits.name_characters).optional(),
      until: Time.nullable().optional(),
      /** The length of a ban, counted from when the server takes it. */
      hours: z.int().positive().max(limits.ban_hours).optional(),
      /** Of a penalty: the coins. */
      amount: PositiveAmount.optional(),
      /** With a warning, a penalty or a ban: the picture or message that the complaint names is removed, too. */
      remove: z.boolean().optional(),
      comment: Comment,
    }),
    data: z.object({ statement_id: Id.nullable() }),
    refuses: ['not_found', 'role_forbidden', 'claimed', 'decided', 'bulk_stopped'],
  }),
}
